"""The harness: clocks, samples and suites, so that a report stands on measurements.

clock, host, device, graph    what turns a callable into latencies, and what it says about itself
measure, effort, compile_cost `bench` and what a first call costs on top of a steady one
suite, structure              what is measured, and how its code is built
interleave, trial, worker     one run of a suite, in a process of its own
messages, supervisor          what that process says, and who watches over it
run_file, guidance            what is kept of a run, and what is said about bad measurements
"""
