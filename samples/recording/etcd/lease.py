#!/usr/bin/env python3
"""An etcd lock with fencing tokens, and a key in the same etcd that compares them.

Every step is one transaction through etcd's JSON gateway, and prints the evidence line of
what that transaction decided. The token of a lease is the create_revision of the lock's key.

    lease.py acquire <lock> <owner> <ttl in seconds>
    lease.py release <lock> <owner> <lease> <token>
    lease.py write   <lock> <owner> <lease> <token> <key> <operation> <value>

ETCD says where etcd is (http://127.0.0.1:2379).
"""

import base64
import json
import os
import sys
import time
import urllib.request

ETCD = os.environ.get("ETCD", "http://127.0.0.1:2379")


def call(path, body):
    request = urllib.request.Request(f"{ETCD}/v3/{path}", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=5) as answer:
        return json.load(answer)


def b64(text):
    return base64.b64encode(text.encode()).decode()


def created(key, revision):
    """The condition that `key` was created at `revision`; 0 is: it does not exist."""
    return {"key": b64(key), "target": "CREATE", "result": "EQUAL", "create_revision": str(revision)}


def get(key):
    return {"request_range": {"key": b64(key)}}


def put(key, value, lease=0):
    return {"request_put": {"key": b64(key), "value": b64(value), "lease": str(lease)}}


def delete(key):
    return {"request_delete_range": {"key": b64(key)}}


class Decision:
    """One transaction, both branches of which also write the key `order/<lock>`.

    A transaction that only reads shares its revision with the one before it; one that
    writes has a revision of its own. So the revision orders refusals as well, and it
    orders the steps of the lock and of the key alike.
    """

    def __init__(self, lock, owner, when, then, otherwise):
        mark = put(f"order/{lock}", owner)
        answer = call("kv/txn", {"compare": when, "success": then + [mark], "failure": otherwise + [mark]})
        self.made = answer.get("succeeded", False)
        self.revision = int(answer["header"]["revision"])
        self.read = [r.get("response_range", {}).get("kvs", [None])[0] for r in answer["responses"]]


def value(kv):
    return base64.b64decode(kv.get("value", "")).decode()


def active(kv):
    """The lease that holds the lock's key; None is: there is none."""
    return kv and {"ownerId": value(kv), "leaseId": kv["lease"], "fenceToken": int(kv["create_revision"])}


def evidence(lock, event, owner, lease, token, result, decision, seq_by, **more):
    line = {"lockName": lock, "event": event, "ownerId": owner, "leaseId": lease, "fenceToken": token}
    line |= more | {"result": result, "seq": decision.revision, "seqBy": seq_by, "ts": time.time()}
    print(json.dumps(line), flush=True)


def acquire(lock, owner, ttl):
    lease = call("lease/grant", {"TTL": ttl})["ID"]
    decision = Decision(lock, owner, [created(f"lock/{lock}", 0)], [put(f"lock/{lock}", owner, lease)], [])
    result = "acquired" if decision.made else "acquire-rejected-held"
    token = decision.revision if decision.made else None
    if not decision.made:
        call("lease/revoke", {"ID": lease})
    evidence(lock, "acquire", owner, lease, token, result, decision, "authority")


def release(lock, owner, lease, token):
    token = int(token)
    key = f"lock/{lock}"
    decision = Decision(lock, owner, [created(key, token)], [get(key), delete(key)], [get(key)])
    held = active(decision.read[0])
    result = "released" if decision.made else "release-rejected-not-owner" if held else "release-noop"
    evidence(lock, "release", owner, lease, token, result, decision, "authority", activeLease=held)


def write(lock, owner, lease, token, key, operation, new):
    token = int(token)
    highest, effect = f"{key}#token", f"effect/{key}/{operation}"
    decision = Decision(
        lock,
        owner,
        # The lock's key still is the one that this lease created, and the operation is new.
        when=[created(f"lock/{lock}", token), created(effect, 0)],
        then=[get(highest), put(key, new), put(highest, str(token)), put(effect, str(token))],
        otherwise=[get(highest), get(effect)],
    )
    before = int(value(decision.read[0])) if decision.read[0] else 0
    if decision.made:
        result = "accepted"
    elif decision.read[1]:
        result = "rejected-duplicate"
    elif token < before:
        result = "rejected-stale-fence"
    else:
        result = "rejected-other"  # the lease is over, and no newer one has written here yet
    evidence(
        lock, "write", owner, lease, token, result, decision, "resource",
        resourceKey=key, resourceHighestTokenBefore=before,
        resourceHighestTokenAfter=token if decision.made else before, operationId=operation,
    )


if __name__ == "__main__":
    steps = {"acquire": acquire, "release": release, "write": write}
    if len(sys.argv) < 2 or sys.argv[1] not in steps:
        sys.exit(__doc__)
    steps[sys.argv[1]](*sys.argv[2:])
