#!/usr/bin/env bash
# Compares OLD with NEW: the comment and the JUnit XML go to files, the exit code to the outputs.
# The step goes on whatever the verdict, so that the comment is written before the job fails.
set -euo pipefail

folder=${RUNNER_TEMP:?}/kreport
mkdir -p "$folder"
options=(--lang "${LANGUAGE_OF_COMMENT:-en}")
[ -n "${MATRIX:-}" ] && options+=(--matrix "$MATRIX")
[ -n "${FAIL_ON:-}" ] && options+=(--fail-on "$FAIL_ON")
if [ -n "${HISTORY:-}" ] && [ -d "$HISTORY" ]; then
    options+=(--history "$HISTORY")
fi

code=0
kreport diff "${options[@]}" --format github --max-chars "${MAX_CHARS:-65000}" -- "$OLD" "$NEW" \
    >"$folder/comment.md" || code=$?
# The same comparison for machines; what it says on standard error has been said.
kreport diff "${options[@]}" --format junit -- "$OLD" "$NEW" >"$folder/kreport.xml" 2>/dev/null || true

{
    echo "exit-code=$code"
    echo "comment=$folder/comment.md"
    if [ -s "$folder/kreport.xml" ]; then echo "junit=$folder/kreport.xml"; fi
} >>"${GITHUB_OUTPUT:?}"
