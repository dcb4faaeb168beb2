"""Second verifier, from docs/ledger-format.md alone: python3 verify.py LEDGER.db…; exit 0 = holds, 1 = does not."""
import decimal, hashlib, json, os, shutil, sqlite3, sys, tempfile
SCHEMA = {1: "1417deac7ab9449195b4e99b1b2295f546b02ef3de9640ed7f73370220f4f505",
          2: "4a8b27a570d984ef9a81774e83784f6dbf250db2ecc29a899af7db71ee6bcea3",
          3: "e2eee85236e9cf120a6765386c43806c968054905a3a3aeb7d26d86fe3ad4260",
          4: "65df48cf0e8f14943fad76a2101dd129eaab242d519d83441a1cc30d06537ab5"}  # section 1
SAFE, problems = 2**53 - 1, []
bad = lambda part, seq, what: problems.append((part, seq, what))
sha = lambda data: hashlib.sha256(data).digest()

def refuse(text):
    raise ValueError(text)
def number(x):  # RFC 8785, 3.2.2.3
    if x == 0 or (isinstance(x, int) and abs(x) <= SAFE):
        return str(int(x))
    x = float(x)
    sign, digits, exponent = decimal.Decimal(repr(x)).as_tuple()
    text, point = "".join(map(str, digits)).rstrip("0"), len(digits) + exponent
    if point > 21 or point <= -6:
        text = f"{text[0]}{'.' * (len(text) > 1)}{text[1:]}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    elif point <= 0:
        text = "0." + "0" * -point + text
    else:
        text = text.ljust(point, "0")
        text = text[:point] + ("." + text[point:] if text[point:] else "")
    return "-" * sign + text
def canonical(v):
    if isinstance(v, str):
        v.encode()  # raises for a lone surrogate
    if isinstance(v, (int, float)) and not isinstance(v, bool):
        return number(v)
    if isinstance(v, list):
        return "[" + ",".join(map(canonical, v)) + "]"
    if not isinstance(v, dict):
        return json.dumps(v, ensure_ascii=False)
    members = sorted(v.items(), key=lambda kv: kv[0].encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(canonical(k) + ":" + canonical(x) for k, x in members) + "}"
# Ed25519, RFC 8032: points as (X, Y, Z, T)
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P
def times(n, p):
    q = (0, 1, 1, 0)
    while n:
        q = add(q, p) if n & 1 else q
        p, n = add(p, p), n >> 1
    return q
def point(b):
    y, odd = int.from_bytes(b, "little") & (2**255 - 1), b[31] >> 7
    u = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(u, (P + 3) // 8, P)
    x = x if x * x % P == u else x * pow(2, (P - 1) // 4, P) % P
    x = x if x & 1 == odd else P - x
    return None if y >= P or x == P or x * x % P != u else (x, y, 1, x * y % P)
BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
def is_signed(key, message, signature):
    a, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    p, q = times(s, BASE), add(r, times(h, a))
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0
# ---- sections 2 to 4 ----
is_text = lambda v: isinstance(v, str) and v != "" and "\0" not in v
is_integer = lambda v: type(v) is int and abs(v) <= SAFE
def decode(text):
    e = json.loads(text, parse_constant=refuse)
    names = "atMs body commandId kind noteId postings roundId seq terminal v".split()
    if not isinstance(e, dict) or sorted(e) != names or e["v"] != 1 or canonical(e) != text:
        refuse("bytes are not an entry in canonical form")
    texts = [e["terminal"], e["kind"]] + [e[k] for k in ("roundId", "commandId", "noteId") if e[k] is not None]
    for p in e["postings"] if isinstance(e["postings"], list) else [None]:
        if not isinstance(p, dict) or sorted(p) != ["account", "amountMinor", "currency"] or not is_integer(p["amountMinor"]):
            refuse("postings are none")
        texts += [p["account"], p["currency"]]
    if not all(map(is_text, texts)) or not is_integer(e["atMs"]) or not is_integer(e["seq"]) or e["seq"] < 1:
        refuse("a member is not of its type")
    return e
def check_entries(db, version, terminal):
    expected, previous, before, notes, postings = 1, bytes(32), None, 0, {}
    credits = dict(db.execute("SELECT note_id, seq FROM note_credits"))
    runs = dict(db.execute("SELECT * FROM round_runs")) if version >= 2 else {}
    for seq, *line in db.execute("SELECT * FROM postings ORDER BY seq, line") if version < 3 else ():
        postings.setdefault(seq, []).append(tuple(line))
    for seq, at_ms, kind, round_id, command_id, text, stored in db.execute("SELECT * FROM entries ORDER BY seq"):
        if seq != expected:
            bad("entry", expected, f"is missing, the next one is {seq}")
        begins, before, expected = round_id is not None and round_id != before, round_id, seq + 1
        if version >= 2 and runs.pop(seq, None) != (round_id if begins else None):
            bad("round", seq, "begin of a round is not as recorded")
        if not isinstance(text, str) or sha(previous + text.encode()) != stored:
            bad("entry", seq, "hash does not fit")
        previous, rows = stored, postings.pop(seq, [])
        try:
            e = decode(str(text))
        except (ValueError, RecursionError) as error:
            bad("entry", seq, str(error))
            continue
        columns = (terminal, seq, at_ms, kind, round_id, command_id)
        if columns != tuple(e[k] for k in ("terminal", "seq", "atMs", "kind", "roundId", "commandId")):
            bad("entry", seq, "columns are not the bytes")
        inside = [(i + 1, p["account"], p["currency"], p["amountMinor"]) for i, p in enumerate(e["postings"])]
        if version < 3 and rows != inside or any(sum(p[3] for p in inside if p[2] == c) for c in {p[2] for p in inside}):
            bad("entry", seq, "postings are not those of the bytes, or do not sum to zero")
        if e["noteId"] is not None:
            notes += 1
            if credits.get(e["noteId"]) != seq:
                bad("note", seq, "credit is not as recorded")
    for part, seq in [("round", seq) for seq in runs] + [("entry", seq) for seq in postings]:
        bad(part, seq, "rows without an entry")
    if notes != len(credits):
        bad("note", None, f"{len(credits)} credits are recorded, the entries have {notes}")
def check_commands(db, version):
    closed = db.execute("SELECT coalesce(max(seq), 0) FROM closings").fetchone()[0] if version >= 2 else SAFE
    ranges, own = {i: (a, b) for i, a, b in db.execute("SELECT * FROM commands")}, {}
    for seq, command in db.execute("SELECT seq, command_id FROM entries WHERE command_id IS NOT NULL ORDER BY seq"):
        a, b = ranges.get(command, (1, 0) if seq <= closed else (seq, seq))
        if not a <= seq <= b:
            bad("command", seq, "is not in the range of its command")
        own.setdefault(command, []).append(seq)
    for command, (a, b) in ranges.items():
        if sum(a <= s <= b for s in own.get(command, [])) != b - a + 1:
            bad("command", a, "claims entries that are not its own")
    for later in ([s for s in seqs if s > closed] for seqs in own.values()):
        if later and later[-1] - later[0] + 1 != len(later):
            bad("command", later[0], "entries of its command do not stand together")

# ---- section 12 ----
def seal_of(o):
    card = f"{o['card']} {o['confidence']}" if "confidence" in o else str(o["card"])
    return sha(bytes.fromhex(o["opening"]) + card.encode()).hex()

def check_seals(db):
    closed = {}
    for seq, kind, text in db.execute("SELECT seq, kind, bytes FROM entries ORDER BY seq"):
        body = json.loads(text)["body"]
        if kind in ("bank-card-dealt", "card-dealt", "cards-waiting", "card-read-again", "card-confirmed"):
            parts = [p for p in body.get("waiting", [body]) if "sealed" in p]
            kept = any(p.get("why") == "kept" for p in parts)
            for part in parts:
                closed.update((s["hash"], (seq, kept)) for s in part["sealed"].values() if isinstance(s, dict))
        for o in body["cards"] if kind == "cards-opened" else ():
            if closed.pop(seal_of(o), (None,))[0] != o["seq"]:
                bad("seal", seq, f"opens a card of entry {o['seq']} that was not sealed there")
        if kind == "round-closed" and closed and not any(kept for _, kept in closed.values()):
            bad("seal", seq, "the round is over and a sealed card is not open")
            closed.clear()

# ---- sections 5 and 6 ----
def check_marks(db, version, terminal, keys):
    hashes, by_no, last = {0: bytes(32), **dict(db.execute("SELECT seq, hash FROM entries"))}, {}, (0, 0)
    for c in db.execute("SELECT * FROM checkpoints ORDER BY no"):
        no, seq, entry_hash, state_hash, reason, at_ms, key_id, signature = c
        if no != last[0] + 1 or seq < last[1] or hashes.get(seq) != entry_hash:
            bad("checkpoint", seq, f"checkpoint {no} does not stand where it says")
        by_no[no], last = c, (no, seq)
        said = {"atMs": at_ms, "entryHash": entry_hash.hex(), "keyId": key_id, "no": no, "reason": reason, "seq": seq,
                "stateHash": state_hash and state_hash.hex(), "terminal": terminal}
        message = b"banca-checkpoint-v1\n" + canonical(said).encode()
        if key_id not in keys or len(signature) != 64 or not is_signed(keys[key_id], message, signature):
            bad("checkpoint", seq, f"checkpoint {no} has a bad signature")
    for seq, state, state_hash, no in db.execute("SELECT * FROM snapshots ORDER BY seq"):
        if sha(state.encode()) != state_hash or no not in by_no or (by_no[no][1], by_no[no][3]) != (seq, state_hash):
            bad("snapshot", seq, "no checkpoint signs this state")
    for seq in (seq for seq, hash in db.execute("SELECT seq, hash FROM acks") if hashes.get(seq) != hash):
        bad("ack", seq, "another entry was acknowledged")
    sums, done = {}, 0
    lines = ((seq, p) for seq, text in db.execute("SELECT seq, bytes FROM entries ORDER BY seq") for p in json.loads(text)["postings"])
    rows = [(seq, f"{p['currency']}/{p['account']}", p["amountMinor"]) for seq, p in lines]
    closings = db.execute("SELECT * FROM closings ORDER BY seq").fetchall() if version >= 2 else []
    for seq, balances, no in closings:
        while done < len(rows) and rows[done][0] <= seq:
            sums[rows[done][1]] = sums.get(rows[done][1], 0) + rows[done][2]
            done += 1
        c = by_no.get(no)
        if c is None or (c[1], c[3], c[4]) != (seq, sha(balances.encode()), "closing") or balances != canonical(sums):
            bad("closing", seq, "balances are not the sums that a checkpoint signs")
    if version >= 2 and sum(c[4] == "closing" for c in by_no.values()) != len(closings):
        bad("closing", None, "not as many closings as are signed")
def check_file(db):
    version = db.execute("PRAGMA user_version").fetchone()[0]
    rows = db.execute("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema ORDER BY name").fetchall()
    lines = "".join("|".join("" if x is None else str(x) for x in row[:4]) + "\n" for row in rows)
    mark, roots = db.execute("PRAGMA application_id").fetchone()[0], {r[4] for r in rows if r[0] == "trigger"}
    if (mark, sha(lines.encode()).hex(), roots) != (0x424E4341, SCHEMA.get(version), {0}):
        bad("schema", None, "not the schema of a ledger")
    for row in [*db.execute("PRAGMA integrity_check(10)"), *db.execute("PRAGMA foreign_key_check")]:
        if row != ("ok",):
            bad("file", None, str(row))
    identity = db.execute("SELECT only, terminal FROM identity").fetchall()
    if len(identity) != 1 or identity[0][0] != 1:
        bad("file", None, "it does not name one terminal")
    keys = {i: k for i, k in db.execute("SELECT * FROM keys") if sha(k).hex()[:32] == i or bad("key", None, i)}
    return version, identity[0][1] if identity else None, keys if keys else bad("key", None, "no key") or {}
def verify(path):
    problems.clear()
    with tempfile.TemporaryDirectory() as folder:  # SQLite would write beside the file
        copy = os.path.join(folder, "ledger.db")
        for suffix in filter(lambda x: os.path.exists(path + x), ("", "-wal")):
            shutil.copyfile(path + suffix, copy + suffix)
        db = sqlite3.connect(copy)
        db.text_factory = lambda b: b.decode("utf-8", "replace")
        def guarded(part, check, *args):
            try:
                return check(db, *args)
            except (sqlite3.Error, TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
                bad(part, None, f"cannot be checked: {error}")
        version, terminal, keys = guarded("file", check_file) or (0, None, {})
        if version in SCHEMA:
            guarded("entry", check_entries, version, terminal)
            guarded("command", check_commands, version)
            guarded("checkpoint", check_marks, version, terminal, keys)
            if not problems:
                guarded("seal", check_seals)
        db.close()
    first = min((p for p in problems if p[1] is not None), key=lambda p: p[1], default=[*problems, (None, None, "")][0])
    print(json.dumps({"ok": not problems, "firstBadSeq": first[1], "part": first[0], "problem": first[2]}))
    return 1 if problems else 0
sys.exit(max(map(verify, sys.argv[1:])))
