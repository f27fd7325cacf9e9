// What the server is asked, and where the page says what happened.

const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
const key = meta("key");
const run = meta("run");
const place = new URL(".", location.href).pathname; // that everything lies in

export function say(text, bad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

// Says where something is; the path is selected, so that it can be copied at once.
export function sayWhere(text, path) {
  say(`${text} `);
  const shown = document.createElement("code");
  shown.textContent = path;
  document.getElementById("status").append(shown);
  getSelection().selectAllChildren(shown);
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(place + path.slice(1), options);
  } catch {
    throw new Error("The server does not answer. Is “ronmf app” still running?");
  }
  const found = await response.json().catch(() => ({ error: "The server’s answer is not understood." }));
  if (!response.ok) throw new Error(found.error || `The server answers ${response.status}.`);
  return found;
}

export const get = (path) => answer(path, { cache: "no-store" });

export const post = (path, asked = {}) =>
  answer(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Ronmf-Page": key },
    body: JSON.stringify(asked),
  });

export const thumbnail = (picture) => `${place}thumbnail/${picture}?v=${run}`;
export const large = (picture) => `${place}picture/${picture}?v=${run}`;
export const made = (result, name) => `${place}made/${result}/${name}?v=${run}`;

// Runs what a user asked for; an error is said, not thrown.
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    say(error.message, true);
    return null;
  }
}
