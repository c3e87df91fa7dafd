"""The harness: clocks, samples and suites, so that a report stands on measurements.

clock, host, device, graph    what turns a callable into latencies, and what it says about itself
clocks, events                clocks by their names, and the device's own clock
measure, effort, compile_cost `bench` and what a first call costs on top of a steady one
suite, structure, agreement   what is measured, how its code is built, when two outputs agree
interleave, trial, worker     one run of a suite, in a process of its own
silence, environment          text written while it is timed, and what it was measured on
messages, supervisor, runs    what that process says, who watches over it, run after run
record, run_file, matrix_file what a run saw, and the files that are kept of it
guidance                      what is said about measurements that no report should stand on
"""
