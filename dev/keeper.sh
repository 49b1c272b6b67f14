#!/bin/sh
# Ends the child processes of a parent that was killed (kill -9). The parent writes "watch <pid>" and "forget <pid>" to
# stdin; when the pipe closes, this script sends SIGTERM and then SIGKILL to all watched processes.
trap '' INT HUP TERM
watched=''
while read -r verb pid; do
  rest=''
  for one in $watched; do [ "$one" = "$pid" ] || rest="$rest $one"; done
  watched=$rest
  [ "$verb" = watch ] && watched="$watched $pid"
done
[ -z "$watched" ] && exit 0
kill -TERM $watched 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  alive=''
  for pid in $watched; do kill -0 "$pid" 2>/dev/null && alive=1; done
  [ -z "$alive" ] && exit 0
  sleep 0.2
done
kill -KILL $watched 2>/dev/null
exit 0
