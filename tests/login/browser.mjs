// Plays a person with a browser: opens a URL, follows redirects with cookies, fills in the forms it is shown, and reaches the
// place that the application waits at.
//
//   browser.mjs agree|deny|stop URL
//
// "agree" and "deny" end there, where a plain page must come back; "stop" prints the place instead of opening it. Ends with 0
// when all went well, and with 3 and the page's words when the server shows an error.
const [, , wish, first] = process.argv;
/** Where the application waits; null for the code of a device, where the last page has no form. */
const redirect = new URL(first).searchParams.get("redirect_uri");
const place = redirect && new URL(redirect);
const jar = new Map();
const MOST_PAGES = 20;

function fail(status, why) {
    console.error(`browser: ${why}`);
    process.exit(status);
}

function keepCookies(response, url) {
    for (const line of response.headers.getSetCookie()) {
        const [pair, ...attributes] = line.split(";").map((it) => it.trim());
        const at = pair.indexOf("=");
        const path = url.origin + (attributes.find((it) => it.toLowerCase().startsWith("path="))?.slice(5) ?? url.pathname);
        const value = pair.slice(at + 1);
        const key = `${path} ${pair.slice(0, at)}`;
        if (value === "") {
            jar.delete(key);
        } else {
            jar.set(key, { path, text: `${pair.slice(0, at)}=${value}` });
        }
    }
}

const cookies = (url) =>
    [...jar.values()].filter((it) => (url.origin + url.pathname).startsWith(it.path)).map((it) => it.text).join("; ");

const decoded = (text) =>
    text.replace(/&(amp|quot|#39|lt|gt);/g, (_, it) => ({ amp: "&", quot: '"', "#39": "'", lt: "<", gt: ">" })[it]);

/** The form of a page, filled in. */
function filledIn(page, url) {
    const form = /<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(page);
    if (form === null) {
        return null;
    }
    const body = new URLSearchParams();
    for (const [input, element] of form[2].matchAll(/<(input|button)[^>]*>/g)) {
        const attribute = (name) => new RegExp(`\\s${name}="([^"]*)"`).exec(input)?.[1];
        const [name, value] = [attribute("name"), decoded(attribute("value") ?? "")];
        if (name === undefined) {
            continue;
        }
        if (element === "button" || attribute("type") === "submit") {
            if (/deny|cancel/.test(`${name} ${value}`) === (wish === "deny")) {
                body.set(name, value);
            }
        } else {
            body.set(name, value || ({ password: "secret", username: "ada", login: "ada" }[name] ?? ""));
        }
    }
    return { url: new URL(decoded(form[1]), url), options: { method: "POST", body } };
}

let next = { url: new URL(first), options: {} };
for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { url } = next;
    if (url.origin === place?.origin && url.pathname === place.pathname) {
        if (wish === "stop") {
            console.log(url.href);
            process.exit(0);
        }
        const response = await fetch(url);
        const page = await response.text();
        process.exit(response.ok && !page.includes("<script") ? 0 : 4);
    }
    const response = await fetch(url, { ...next.options, redirect: "manual", headers: { cookie: cookies(url) } });
    keepCookies(response, url);
    const location = response.headers.get("location");
    const page = await response.text();
    if (location !== null) {
        next = { url: new URL(location, url), options: {} };
        continue;
    }
    if (!response.ok) {
        fail(3, `${response.status} ${page.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, " ").replace(/\s+/g, " ").trim()}`);
    }
    const abort = /href="([^"]*\/abort)"/.exec(page)?.[1];
    if (wish === "deny" && abort !== undefined) {
        next = { url: new URL(decoded(abort), url), options: {} };
        continue;
    }
    const form = filledIn(page, url);
    if (form === null && place === null) {
        process.exit(0);
    }
    next = form ?? fail(4, `a page without a form: ${page}`);
}
fail(4, `more than ${MOST_PAGES} pages`);
