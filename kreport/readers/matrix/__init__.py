"""The kernel-state matrix in its three forms."""
