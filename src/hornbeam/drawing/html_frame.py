"""The frame of every HTML page that hornbeam writes: no request to other hosts, a policy without exceptions."""

from __future__ import annotations

# Identifies a page of this package.
MARK = '<meta name="generator" content="hornbeam">'
_FRAME = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
{MARK}
<title>{{title}}</title>
<style>{{style}}</style>
</head>
<body>
{{body}}
</body>
</html>
"""


def html_page(policy: str, title: str, style: str, body: str) -> str:
    """A page; title and body are HTML already, and the policy must name the hashes of style and scripts."""
    return _FRAME.format(policy=policy, title=title, style=style, body=body)
