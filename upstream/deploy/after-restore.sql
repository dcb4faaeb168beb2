-- After the centre's database was put back: who had logged out, and links that were used, must not be let in again.
BEGIN;

DELETE FROM sessions;

DELETE FROM enrolment_links;

COMMIT;

-- Whose end, or whose change of role, may have been after this moment: look at each of them on the page /people.
SELECT max(at) AS "the audit ends", (SELECT max(received_at) FROM entries) AS "the entries end" FROM audit;

SELECT name, role FROM people WHERE ended_at IS NULL ORDER BY name;
