"""Lines of other programs that hold one evidence record, for make_log.py.

A shape takes the fields of a record (names to JSON values as they are written, in the
order of the line) and gives a line. The mappings that read them are in benches/mappings.
"""

WORDS = {
    "acquired": "granted",
    "accepted": "applied",
    "rejected-stale-fence": "fenced off",
    "expired": "lease over",
    "released": "given back",
    "renewed": "prolonged",
}
STATUS = {"rejected-stale-fence": 409}
FLAT = {
    "lockName": "lock",
    "ownerId": "worker",
    "leaseId": "lease_id",
    "fenceToken": "epoch",
    "resourceHighestTokenBefore": "highest_seen",
    "resourceHighestTokenAfter": "highest_now",
    "seq": "n",
    "seqBy": "numbered_by",
    "resourceKey": "resource",
    "operationId": "request_id",
    "activeOwnerId": "holder",
    "activeLeaseId": "holder_lease",
    "activeFenceToken": "holder_epoch",
    "ts": "timestamp",
}


def flat(fields):
    members = ['"level":"info"', '"logger":"jobs.lock"', '"event":"lock step"']
    for name, value in fields.items():
        if name == "result":
            members.append(f'"outcome":"{WORDS[value.strip(chr(34))]}"')
        elif name == "event":
            members.append(f'"action":"lock.{value.strip(chr(34))}"')
        else:
            members.append(f'"{FLAT.get(name, name)}":{value}')
    return "{" + ",".join(members) + "}\n"


def nested(fields):
    get = fields.get
    result = get("result").strip('"')
    parts = [
        '"level":30',
        f'"time":{get("ts")}',
        '"pid":4711',
        '"hostname":"jobs-7d9fc"',
        f'"step":"lock.{get("event").strip(chr(34))}"',
        f'"status":{STATUS.get(result, 200)}',
        f'"seq":{{"n":{get("seq")},"by":{get("seqBy")}}}',
        f'"lock":{{"name":{get("lockName")},"holder":{{"pod":{get("ownerId")},'
        f'"lease":{get("leaseId")}}},"epoch":{get("fenceToken")}}}',
    ]
    if "resourceKey" in fields:
        parts.append(
            f'"write":{{"key":{get("resourceKey")},"id":{get("operationId")},'
            f'"before":{get("resourceHighestTokenBefore")},"after":{get("resourceHighestTokenAfter")}}}'
        )
    if "activeOwnerId" in fields:
        parts.append(
            f'"current":[{{"pod":{get("activeOwnerId")},"lease":{get("activeLeaseId")},'
            f'"epoch":{get("activeFenceToken")}}}]'
        )
    parts.append('"msg":"lock step"')
    return "{" + ",".join(parts) + "}\n"


def pairs(fields):
    get = {name: value.strip('"') for name, value in fields.items()}.get
    yield f"lock={get('lockName')}"
    yield f"owner={get('ownerId')}"
    yield f"lease={get('leaseId')}"
    yield f"token={get('fenceToken')}"
    yield f"seq={get('seq')}"
    yield f"by={get('seqBy')}"
    if "resourceKey" in fields:
        yield f"highest={get('resourceHighestTokenBefore')}->{get('resourceHighestTokenAfter')}"
        yield f"resource={get('resourceKey')}"
        yield f"op={get('operationId')}"
    if "activeOwnerId" in fields:
        yield f"current={get('activeOwnerId')}/{get('activeLeaseId')}/{get('activeFenceToken')}"


def text(fields):
    event, result = (fields[name].strip('"') for name in ("event", "result"))
    level = "WARN" if result in ("expired", "rejected-stale-fence") else "INFO"
    return f"{fields['ts'][1:-1]} {level} {event} {result} {' '.join(pairs(fields))}\n"


def logfmt(fields):
    event, result = (fields[name].strip('"') for name in ("event", "result"))
    said = f'time={fields["ts"][1:-1]} level=info msg="lock step" step={event} outcome="{WORDS[result]}"'
    return f"{said} {' '.join(pairs(fields))}\n"


def csv(fields):
    return ",".join(fields.get(name, "").strip('"') for name in (*FLAT, "event", "result")) + "\n"


SHAPES = {"flat": flat, "nested": nested, "text": text, "logfmt": logfmt, "csv": csv}
