import { DOMParser, DOMSerializer, type MarkSpec, type Node, Schema } from 'prosemirror-model'
import { bulletList, listItem, orderedList } from 'prosemirror-schema-list'

/** What a formatted text can hold. Whatever is pasted becomes this, and the server keeps the same (platform/mail/sanitise.ts). */

const addressOf = (href: string | null): string | null => (/^(?:https?:|mailto:|tel:)/i.test(href ?? '') ? href : null)
/** A picture by its id: as it is stored, or as the editor shows it. */
const pictureId = (src: string | null): string | null =>
  /^cid:([\w-]+)$|\/pictures\/([\w-]+)$/
    .exec(src ?? '')
    ?.slice(1)
    .find(Boolean) ?? null

const marks: Record<'link' | 'strong' | 'em' | 'underline', MarkSpec> = {
  link: {
    attrs: { href: { validate: 'string' } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (link) => {
          const href = addressOf(link.getAttribute('href'))
          return href === null ? false : { href }
        },
      },
    ],
    toDOM: ({ attrs }) => ['a', { href: attrs['href'] as string }, 0],
  },
  strong: {
    parseDOM: [
      { tag: 'strong' },
      // Google Docs wraps what is copied in a <b> that is not bold.
      { tag: 'b', getAttrs: (bold) => bold.style.fontWeight !== 'normal' && null },
      { style: 'font-weight', getAttrs: (weight) => /^(?:bold(?:er)?|[6-9]\d\d)$/.test(weight) && null },
    ],
    toDOM: () => ['strong', 0],
  },
  em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }, { style: 'font-style=italic' }], toDOM: () => ['em', 0] },
  underline: {
    parseDOM: [{ tag: 'u' }, { style: 'text-decoration', getAttrs: (line) => line.includes('underline') && null }],
    toDOM: () => ['u', 0],
  },
}

export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { content: 'inline*', group: 'block', parseDOM: [{ tag: 'p' }, { tag: 'div' }], toDOM: () => ['p', 0] },
    blockquote: { content: 'block+', group: 'block', defining: true, parseDOM: [{ tag: 'blockquote' }], toDOM: () => ['blockquote', 0] },
    ordered_list: { ...orderedList, content: 'list_item+', group: 'block', attrs: {}, parseDOM: [{ tag: 'ol' }], toDOM: () => ['ol', 0] },
    bullet_list: { ...bulletList, content: 'list_item+', group: 'block' },
    list_item: { ...listItem, content: 'paragraph block*' },
    text: { group: 'inline' },
    image: {
      inline: true,
      group: 'inline',
      draggable: true,
      attrs: { id: { validate: 'string' }, alt: { default: '', validate: 'string' }, width: { default: null } },
      parseDOM: [
        {
          tag: 'img[src]',
          getAttrs: (image) => {
            const id = pictureId(image.getAttribute('src'))
            return id === null ? false : { id, alt: image.getAttribute('alt') ?? '', width: Number(image.getAttribute('width')) || null }
          },
        },
      ],
      toDOM: ({ attrs }) => [
        'img',
        { src: `cid:${String(attrs['id'])}`, alt: attrs['alt'] as string, width: attrs['width'] as number | null },
      ],
    },
    hard_break: { inline: true, group: 'inline', selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'] },
  },
  marks,
})

const parser = DOMParser.fromSchema(schema)

export function docFrom(html: string): Node {
  const parsed = new window.DOMParser().parseFromString(`<body>${html}</body>`, 'text/html')
  return parser.parse(parsed.body, { preserveWhitespace: true })
}

/** The DOM of a text, which holds nothing but the schema's elements. It is in a document of its own, where no picture is loaded. */
export function domFrom(doc: Node): HTMLElement {
  const inert = document.implementation.createHTMLDocument()
  inert.body.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content, { document: inert }))
  return inert.body
}

/** Empty for a text without words and pictures. */
export function htmlFrom(doc: Node): string {
  if (isEmpty(doc)) return ''
  const body = domFrom(doc)
  // An email program gives an empty paragraph no height.
  for (const paragraph of body.querySelectorAll('p:empty')) paragraph.append(body.ownerDocument.createElement('br'))
  return body.innerHTML
}

function isEmpty(doc: Node): boolean {
  let hasPicture = false
  doc.descendants(({ type }) => {
    hasPicture ||= type === schema.nodes.image
  })
  return !hasPicture && doc.textContent.trim() === ''
}
