/** In the browser: asks for a passkey, or makes one, and shows the centre's sentence. */
const button = document.querySelector('button[data-does]');
const said = document.querySelector('#said');
const { does, tooOld, stopped, hasOne } = button.dataset;

const say = (text) => {
  said.textContent = text;
};

/** The answer, or null after its sentence has been shown. */
async function ask(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (answer.ok) return told;
  say(told.message);
  return null;
}

async function logIn() {
  const options = await ask('/log-in/challenge', {});
  if (options === null) return;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  const done = await ask('/log-in/passkey', credential.toJSON());
  if (done !== null) location.replace(done.to);
}

/** Behind the sign # no server, proxy or log sees the token. */
const token = location.hash.slice(1);

async function enrol() {
  const asked = await ask('/enrol/challenge', { link: token });
  if (asked === null) return;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked.options);
  const credential = await navigator.credentials.create({ publicKey });
  const done = await ask('/enrol/passkey', { link: token, passkey: credential.toJSON() });
  if (done !== null) location.replace(done.to);
}

async function run() {
  say('');
  button.disabled = true;
  try {
    await (does === 'enrol' ? enrol() : logIn());
  } catch (error) {
    say(error.name === 'InvalidStateError' ? hasOne : stopped);
  }
  button.disabled = false;
}

if (globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === undefined) {
  say(tooOld);
  button.disabled = true;
} else {
  button.addEventListener('click', () => void run());
  if (does === 'enrol') {
    const asked = await ask('/enrol/challenge', { link: token }).catch(() => say(stopped));
    if (asked) document.querySelector('#name').textContent = asked.name;
    else button.disabled = true;
  }
}
