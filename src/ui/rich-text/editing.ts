import { baseKeymap, chainCommands, exitCode, lift, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { MarkType, NodeType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, type EditorState, NodeSelection, type Plugin } from 'prosemirror-state'
import { schema } from './schema.ts'

const { paragraph: _, blockquote, bullet_list, ordered_list, list_item, hard_break, image } = schema.nodes
const { strong, em, underline, link } = schema.marks

/** Whether the selection has a mark, or what is typed next would. */
function hasMark({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  if (selection.empty) return type.isInSet(storedMarks ?? selection.$from.marks()) !== undefined
  return doc.rangeHasMark(selection.from, selection.to, type)
}

/** Whether the selection is within a list or a quote, and no other list is nearer. */
function isWithin({ selection: { $from } }: EditorState, type: NodeType): boolean {
  for (let depth = $from.depth; depth > 0; depth--) {
    const found = $from.node(depth).type
    if (found === type) return true
    if (type !== blockquote && (found === bullet_list || found === ordered_list)) return false
  }
  return false
}

/** Begins a list, or ends it. Another kind of list becomes this one. */
const toggleList =
  (type: NodeType): Command =>
  (state, dispatch, view) => {
    if (isWithin(state, type)) return liftListItem(list_item)(state, dispatch, view)
    const other = type === bullet_list ? ordered_list : bullet_list
    if (!isWithin(state, other)) return wrapInList(type)(state, dispatch, view)
    const { $from } = state.selection
    for (let depth = $from.depth; depth > 0; depth--) {
      if ($from.node(depth).type !== other) continue
      dispatch?.(state.tr.setNodeMarkup($from.before(depth), type))
      return true
    }
    return false
  }

const toggleQuote: Command = (state, dispatch, view) =>
  isWithin(state, blockquote) ? lift(state, dispatch, view) : wrapIn(blockquote)(state, dispatch, view)

export const commands = {
  bold: toggleMark(strong),
  italic: toggleMark(em),
  underline: toggleMark(underline),
  bullets: toggleList(bullet_list),
  numbers: toggleList(ordered_list),
  quote: toggleQuote,
}
export type Format = keyof typeof commands

export const isActive: Record<Format, (state: EditorState) => boolean> = {
  bold: (state) => hasMark(state, strong),
  italic: (state) => hasMark(state, em),
  underline: (state) => hasMark(state, underline),
  bullets: (state) => isWithin(state, bullet_list),
  numbers: (state) => isWithin(state, ordered_list),
  quote: (state) => isWithin(state, blockquote),
}

/** The link at the selection, with its extent. */
export function linkAt({ selection: { $from, from, to }, doc }: EditorState): { href: string; from: number; to: number } | null {
  let found: { href: string; from: number; to: number } | null = null
  doc.nodesBetween(Math.max(0, from - 1), Math.min(doc.content.size, to + 1), (node, pos) => {
    const mark = link.isInSet(node.marks)
    if (!mark || !node.isText || pos > to || pos + node.nodeSize < from) return
    found ??= { href: mark.attrs['href'] as string, from: pos, to: pos + node.nodeSize }
  })
  return $from.parent.inlineContent ? found : null
}

/** Links the selection, or the link that is there; without either, the address itself is inserted. Null removes the link. */
export const setLink =
  (href: string | null): Command =>
  (state, dispatch) => {
    const { selection, tr } = state
    const { from, to } = selection.empty ? (linkAt(state) ?? selection) : selection
    if (href === null) dispatch?.(tr.removeMark(from, to, link))
    else if (from === to) dispatch?.(tr.insert(from, schema.text(href.replace(/^mailto:/, ''), [link.create({ href })])))
    else dispatch?.(tr.removeMark(from, to, link).addMark(from, to, link.create({ href })))
    return true
  }

/** A web or email address as it is typed; null: it is none. */
export function readAddress(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return null
  const whole = /^[a-z][\w+.-]*:(?!\d)/i.test(text) ? text : text.includes('@') ? `mailto:${text}` : `https://${text}`
  const url = URL.parse(whole)
  if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return null
  return url.protocol.startsWith('http') && !url.hostname.includes('.') ? null : url.href
}

export const insertPicture =
  (attrs: { id: string; alt: string; width: number }): Command =>
  ({ tr, selection }, dispatch) => {
    const picture = image.create(attrs)
    // Beside a selected picture, not in its place.
    dispatch?.(
      (selection instanceof NodeSelection ? tr.insert(selection.to, picture) : tr.replaceSelectionWith(picture, false)).scrollIntoView(),
    )
    return true
  }

const newLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(hard_break.create()).scrollIntoView())
  return true
})

export const plugins = (openLink: () => void): Plugin[] => [
  history(),
  keymap({
    'Mod-b': commands.bold,
    'Mod-i': commands.italic,
    'Mod-u': commands.underline,
    'Mod-Shift-8': commands.bullets,
    'Mod-Shift-7': commands.numbers,
    'Mod-Shift-9': commands.quote,
    'Mod-Shift-k': () => {
      openLink()
      return true
    },
    'Mod-z': undo,
    'Mod-y': redo,
    'Mod-Shift-z': redo,
    Enter: splitListItem(list_item),
    'Shift-Enter': newLine,
    // Outside a list, Tab leaves the field.
    Tab: sinkListItem(list_item),
    'Shift-Tab': liftListItem(list_item),
  }),
  keymap(baseKeymap),
]
