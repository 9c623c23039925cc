"""Engines: programs in any language that play, spoken to by lines of JSON (docs/engine-protocol.md).

messages.py   a message as a line, and what is wrong with a line
process.py    the program: started, read, written to, and ended with all that it has started
talk.py       what is said to one program at one seat, and what it answers
external.py   the agent `engine:command="..."`
serving.py    the other side: any agent of Meeple as such a program (`meeple engine`)
"""
