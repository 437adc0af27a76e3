// Views: the pages of tools (MCP Apps), for programs that show them.
'use strict';

const addon = require('./native.js');
const { native } = require('./errors.js');
const { objectGiven, textOf } = require('./texts.js');

class View {
  #view;

  /** @param {object} settings */
  constructor(settings) {
    const text = JSON.stringify(objectGiven('View', settings, "such as { hostInfo: { name: 'desk', version: '1' }, tool }"));
    this.#view = native(() => new addon.View(text));
  }

  /** @param {string | object} message */
  receive(message) {
    native(() => this.#view.receive(typeof message === 'string' ? message : textOf(message)));
  }

  /** @param {string} type @param {object} [members] */
  tell(type, members) {
    native(() => this.#view.tell(JSON.stringify({ ...members, type })));
  }

  poll() {
    const action = native(() => this.#view.poll());
    return action === null ? undefined : JSON.parse(action);
  }

  * actions() {
    for (let action = this.poll(); action !== undefined; action = this.poll()) yield action;
  }

  close() {
    this.#view.close();
  }

  [Symbol.dispose]() {
    this.close();
  }
}

/** @param {object} [ui] */
function viewPolicy(ui) {
  return JSON.parse(native(() => addon.viewPolicy(textOf(ui))));
}

module.exports = { View, viewPolicy };
