// Long names in tables break behind their signs, not within a word. A copy of the text has nothing of it.
for (const code of document.querySelectorAll("td code")) {
    if (code.textContent.length > 20 && code.children.length === 0) {
        const parts = code.textContent.split(/(?<=[_/.:])(?=\w)/);
        code.replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
    }
}
