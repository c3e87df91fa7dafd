#!/usr/bin/env bash
# Writes COMMENT into a pull request once: the comment that begins with the marker is replaced, so
# that a pull request with twenty pushes has one comment and not twenty.
set -euo pipefail

if [ ! -s "${COMMENT:?}" ]; then
    echo "there is no comment to write" >&2
    exit 0
fi
marker=$(head -n 1 "$COMMENT")
comments="repos/${GITHUB_REPOSITORY:?}/issues/${PULL_REQUEST:?}/comments"
known=$(MARKER=$marker gh api --paginate "$comments" \
    --jq '.[] | select(.body | startswith(env.MARKER)) | .id' | head -n 1)
if [ -n "$known" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$known" --field "body=@$COMMENT"
else
    gh api --silent --method POST "$comments" --field "body=@$COMMENT"
fi
