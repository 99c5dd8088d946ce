// The part of the DOM that is used here, and the one way to get one: linkedom, behind bounds on nesting and on the number of tags.

import { parseHTML } from "linkedom";
import { boundMarkup } from "./markup.ts";

export interface DomNode {
  nodeType: number;
  textContent: string | null;
  parentNode: DomElement | null;
  childNodes: Iterable<DomNode> & { length: number };
  nextSibling: DomNode | null;
  previousSibling: DomNode | null;
  remove(): void;
}

export interface DomElement extends DomNode {
  localName: string;
  tagName: string;
  id: string;
  className: string;
  innerHTML: string;
  children: Iterable<DomElement> & { length: number };
  firstElementChild: DomElement | null;
  nextElementSibling: DomElement | null;
  previousElementSibling: DomElement | null;
  parentElement: DomElement | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement> & { length: number };
  closest(selector: string): DomElement | null;
  contains(other: DomNode): boolean;
  replaceWith(...nodes: DomNode[]): void;
  append(...nodes: DomNode[]): void;
  before(...nodes: DomNode[]): void;
  cloneNode(deep: boolean): DomElement;
}

export interface DomDocument extends DomElement {
  documentElement: DomElement;
  head: DomElement;
  body: DomElement;
  title: string;
  createElement(name: string): DomElement;
  createTextNode(text: string): DomNode;
  cloneNode(deep: boolean): DomDocument;
}

export const ELEMENT = 1;
export const TEXT = 3;

export const isElement = (node: DomNode): node is DomElement => node.nodeType === ELEMENT;

export function parseDom(html: string): DomDocument {
  const { document } = parseHTML(boundMarkup(html)) as unknown as { document: DomDocument };
  return document;
}
