"""kreport: reports on ported accelerator kernels that a team can believe."""

__version__ = "0.1.0"
