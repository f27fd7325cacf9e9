// What the server is asked, and where the page says what happened.

const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
const key = meta("key");
const run = meta("run");

export function say(text, bad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, options);
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

export const thumbnail = (picture) => `/thumbnail/${picture}?v=${run}`;
export const large = (picture) => `/picture/${picture}?v=${run}`;
export const made = (result, name) => `/made/${result}/${name}?v=${run}`;

// Runs what a user asked for; an error is said, not thrown.
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    say(error.message, true);
    return null;
  }
}
