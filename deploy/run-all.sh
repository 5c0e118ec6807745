#!/bin/bash
# Runs all services of this checkout on this machine until Ctrl-C: `make run-all` builds and calls it.
#
# BASE_PORT=7400   first port; service n uses BASE_PORT + 10n to BASE_PORT + 10n + 2
# STATE=.gridtide  folder for what the services store; a file STATE/NAME.yaml configures the service NAME
# BIN=.build/release
#
# A service that dies is started again, each time after a longer pause, at most a minute; the others keep running. After
# five deaths within ten seconds of their starts in a row, or with a wrong configuration, the next attempts are quiet
# unless they have something new to say. One with a wrong configuration is also started again when its file changes.
set -uo pipefail
# Each service gets a process group of its own: Ctrl-C reaches this script alone, which stops them in order.
set -m
cd "$(dirname "$0")/.."
# What services store says when somebody is at home.
umask 077

base_port=${BASE_PORT:-7400}
state=${STATE:-.gridtide}
bin=${BIN:-.build/release}
services=(guidance-publisher event-ingestor insight-service scheduler device-simulator energy-dashboard)
quick_seconds=10
quick_deaths_max=5
pause_max=60
stop_seconds=30

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    colours=(34 32 35 36 33 95) bold=$'\e[1m' plain=$'\e[0m'
else
    colours=() bold='' plain=''
fi
say() { printf '%s%-18s | %s%s\n' "$bold" run-all "$*" "$plain"; }

# Each service takes three of ten ports.
base_port_max=$((65536 - 10 * ${#services[@]}))
if ! [[ $base_port =~ ^[1-9][0-9]{0,4}$ ]] || [ "$base_port" -gt $base_port_max ]; then
    echo "BASE_PORT is '$base_port': it has to be a number from 1 to $base_port_max" >&2
    exit 64
fi

# The n-th service's port: its first answers requests (the dashboard's: browsers), the second publishes, the third has
# metrics and health.
port() {
    local n
    for n in "${!services[@]}"; do
        [ "${services[n]}" = "$1" ] && echo $((base_port + 10 * n + $2)) && return
    done
}
serves_requests() { [ "$1" != device-simulator ] && [ "$1" != energy-dashboard ]; }

peers_of() {
    case $1 in
        event-ingestor) echo guidance-publisher ;;
        insight-service) echo guidance-publisher event-ingestor ;;
        scheduler) echo guidance-publisher event-ingestor ;;
        device-simulator | energy-dashboard) echo guidance-publisher event-ingestor insight-service scheduler ;;
    esac
}

arguments_of() {
    local name=$1 peer
    echo "--state-directory=$state/$name"
    echo "--http-address=tcp://127.0.0.1:$(port "$name" 2)"
    if serves_requests "$name"; then
        echo "--requests-address=tcp://127.0.0.1:$(port "$name" 0)"
        echo "--publications-address=tcp://127.0.0.1:$(port "$name" 1)"
    fi
    [ "$name" != energy-dashboard ] || echo "--pages-address=tcp://127.0.0.1:$(port "$name" 0)"
    for peer in $(peers_of "$name"); do
        echo "--peers-$peer-requests=tcp://127.0.0.1:$(port "$peer" 0)"
        echo "--peers-$peer-publications=tcp://127.0.0.1:$(port "$peer" 1)"
    done
    [ ! -f "$state/$name.yaml" ] || echo "--config=$state/$name.yaml"
}

# Copies lines to standard output behind the service's name; leaves the last ones in a file when the service is gone. A
# quiet attempt is shown once it has lived for three seconds.
prefix() {
    trap '' INT TERM
    local name=$1 colour=$2 quiet=$3 part line='' code held=() last=()
    show() { printf '%s%-18s |%s %s\n' "${colour:+$'\e['"${colour}m"}" "$name" "${colour:+$plain}" "$1"; }
    while true; do
        IFS= read -r ${quiet:+-t 3} part
        code=$?
        line+=$part
        if [ $code -gt 128 ]; then
            for part in "${held[@]}"; do show "$part"; done
            quiet=''
            continue
        fi
        [ $code = 0 ] || [ -n "$line" ] || break
        if [ -n "$quiet" ]; then held+=("$line"); else show "$line"; fi
        last=("${last[@]: -4}" "$line")
        line=''
    done
    printf '%s\n' "${last[@]}" >"$state/$name/last-lines"
}

declare -A name_of=() pid_of=() prefix_of=() started_at=() quick_deaths=() restart_of=() waiting_for=()
# Those that are tried quietly, with what their last attempt said.
declare -A given_up=()
ticker=''

start() {
    local name=$1 n colour=''
    for n in "${!services[@]}"; do [ "${services[n]}" = "$name" ] && colour=${colours[n]:-}; done
    mkdir -p "$state/$name"
    rm -f "$state/$name/output" "$state/$name/last-lines"
    mkfifo "$state/$name/output"
    prefix "$name" "$colour" "${given_up[$name]+quiet}" <"$state/$name/output" &
    prefix_of[$name]=$!
    local arguments
    mapfile -t arguments < <(arguments_of "$name")
    "$bin/$name" "${arguments[@]}" >"$state/$name/output" 2>&1 &
    pid_of[$name]=$!
    name_of[$!]=$name
    started_at[$name]=$SECONDS
    waiting_for[$name]=1
}

is_ready() {
    local line
    { exec 3<>"/dev/tcp/127.0.0.1/$(port "$1" 2)"; } 2>/dev/null || return 1
    printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
    IFS= read -r -t 2 line <&3
    exec 3>&-
    [[ $line == *' 200 '* ]]
}

is_port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

check_ports() {
    local name offset port taken=0
    for name in "${services[@]}"; do
        for offset in 0 1 2; do
            [ $offset != 2 ] && ! serves_requests "$name" && [ "$name$offset" != energy-dashboard0 ] && continue
            port=$(port "$name" $offset)
            if is_port_taken "$port"; then
                say "port $port, which $name needs, is in use by another process"
                taken=1
            fi
        done
    done
    [ $taken = 0 ] || { say "stop that process, or choose other ports: make run-all BASE_PORT=8400"; exit 69; }
}

signal_name() { kill -l "$1" 2>/dev/null || echo "$1"; }

died() {
    local name=$1 code=$2 why=''
    # It has written its last line when its output ends.
    wait "${prefix_of[$name]}"
    unset "name_of[${pid_of[$name]}]" "pid_of[$name]" "waiting_for[$name]"
    if [ "$code" -gt 128 ]; then why="killed by signal $((code - 128)) ($(signal_name $((code - 128))))"; fi
    if [ $((SECONDS - started_at[$name])) -lt $quick_seconds ]; then
        quick_deaths[$name]=$((${quick_deaths[$name]:-0} + 1))
    else
        quick_deaths[$name]=1
        unset "given_up[$name]"
    fi
    local pause=$pause_max said
    [ "${quick_deaths[$name]}" -gt 6 ] || pause=$((1 << (quick_deaths[$name] - 1)))
    [ $pause -le $pause_max ] || pause=$pause_max
    # Without the times at the beginnings of the lines.
    said="$code $([ -f "$state/$name/last-lines" ] && sed 's/^[0-9][^ ]* //' "$state/$name/last-lines")"
    if [ "${given_up[$name]-}" != "$said" ]; then
        say "$name died: ${why:-exit code $code}. Its last lines:"
        [ -f "$state/$name/last-lines" ] && sed 's/^/                     > /' "$state/$name/last-lines"
        if [ "$code" = 78 ]; then
            given_up[$name]=$said
            say "its configuration is wrong: it is tried again when $state/$name.yaml changes, and every minute at least"
        elif [ "${quick_deaths[$name]}" -ge $quick_deaths_max ]; then
            given_up[$name]=$said
            say "it died ${quick_deaths[$name]} times in a row: it is tried again quietly, every minute at least"
        else
            unset "given_up[$name]"
            say "$name is started again in $pause s. The others keep running."
        fi
    fi
    if [ "$code" = 78 ]; then await_change "$state/$name.yaml" $pause & else sleep $pause & fi
    restart_of[$!]=$name
}

# Returns when the file has changed, or after so many seconds.
await_change() {
    local before n
    before=$(stat -c '%i %s %Y' "$1" 2>/dev/null)
    for ((n = 0; n < $2; n++)); do
        sleep 1
        [ "$(stat -c '%i %s %Y' "$1" 2>/dev/null)" = "$before" ] || return
    done
}

stop_all() {
    trap 'say "stopping at once"; kill -KILL "${pid_of[@]}" 2>/dev/null; exit 130' INT TERM
    say "stopping"
    # What is said goes to standard output; this silences the shell's own notes on ended jobs.
    exec 2>/dev/null
    local n name pid guard
    for ((n = ${#services[@]} - 1; n >= 0; n--)); do
        name=${services[n]}
        pid=${pid_of[$name]:-}
        [ -n "$pid" ] || continue
        kill -TERM "$pid" 2>/dev/null
        (sleep $stop_seconds && kill -KILL "$pid") 2>/dev/null &
        guard=$!
        wait "$pid" 2>/dev/null
        local code=$?
        kill -- -"$guard" 2>/dev/null
        wait "${prefix_of[$name]}" 2>/dev/null
        [ $code = 0 ] || say "$name did not stop cleanly: code $code"
    done
    # shellcheck disable=SC2046  # each is a number
    kill $(jobs -p) 2>/dev/null
    say "all stopped; what they stored is in $state/ and the next run continues from it"
    exit 0
}

tick() {
    local name
    for name in "${!waiting_for[@]}"; do
        is_ready "$name" || continue
        unset "waiting_for[$name]"
        [ -z "${is_up:-}" ] || say "$name is ready again"
        unset "given_up[$name]"
    done
    [ -z "${is_up:-}" ] || return
    # All that are not down for longer.
    local pending=0
    for name in "${!waiting_for[@]}" "${restart_of[@]}"; do
        [ -n "${given_up[$name]+yes}" ] || pending=1
    done
    if [ $pending = 0 ]; then
        is_up=1
        what_next
    fi
}

# Where energyctl finds services that are not at their usual ports.
endpoints() {
    local pair text=
    for pair in guidance:guidance-publisher events:event-ingestor insights:insight-service schedule:scheduler; do
        text+="${pair%%:*}=tcp://127.0.0.1:$(port "${pair#*:}" 0),tcp://127.0.0.1:$(port "${pair#*:}" 1);"
    done
    echo "${text%;}"
}

what_next() {
    local command all=all
    [ ${#pid_of[@]} = ${#services[@]} ] || all="${#pid_of[@]} of ${#services[@]}"
    say "$all services are ready. The pages are at http://127.0.0.1:$(port energy-dashboard 0)/. In another shell, try:"
    [ "$base_port" = 7400 ] || say "    export GRIDTIDE_ENDPOINTS='$(endpoints)'"
    for command in 'guidance' 'insights --granularity daily' 'schedule' 'watch' 'health' '--help'; do
        say "    $bin/energyctl $command"
    done
    say "Metrics: http://127.0.0.1:$(port guidance-publisher 2)/metrics. Ctrl-C stops everything."
}

for name in "${services[@]}"; do
    [ -x "$bin/$name" ] || { say "$bin/$name is not built: make release"; exit 1; }
done
check_ports
mkdir -p "$state"
trap stop_all INT TERM
# However this script ends, nothing stays behind.
trap 'kill -TERM "${pid_of[@]}" 2>/dev/null' EXIT
say "starting ${services[*]}; state in $state/"
for name in "${services[@]}"; do start "$name"; done

while true; do
    if { [ ${#waiting_for[@]} -gt 0 ] || [ -z "${is_up:-}" ]; } && [ -z "$ticker" ]; then
        sleep 0.2 &
        ticker=$!
    fi
    if [ ${#pid_of[@]} = 0 ] && [ ${#given_up[@]} = ${#services[@]} ]; then
        say "nothing runs any more"
        exit 1
    fi
    ended=''
    # shellcheck disable=SC2086
    wait -n -p ended "${pid_of[@]}" "${!restart_of[@]}" $ticker 2>/dev/null
    code=$?
    [ -n "$ended" ] || continue
    if [ "$ended" = "$ticker" ]; then
        ticker=''
        tick
    elif [ -n "${name_of[$ended]:-}" ]; then
        died "${name_of[$ended]}" "$code"
    elif [ -n "${restart_of[$ended]:-}" ]; then
        name=${restart_of[$ended]}
        unset "restart_of[$ended]"
        start "$name"
    fi
done
