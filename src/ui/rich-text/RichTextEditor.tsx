import { EditorState, Selection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { type KeyboardEvent, type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { cn } from '../cn.ts'
import { useFieldControl } from '../forms/Field.tsx'
import { insertPicture, plugins } from './editing.ts'
import { docFrom, domFrom, htmlFrom } from './schema.ts'
import { LinkBar, RichTextToolbar } from './RichTextToolbar.tsx'
import { type Pictures, usePictureUploads } from './usePictureUploads.tsx'

export interface RichTextHandle {
  focus: () => void
}

export interface RichTextProps {
  label?: string
  /** HTML of the schema. Empty: no text. */
  html: string
  onChange: (html: string) => void
  /** Where its pictures are. Without it, there are none. */
  pictures?: Pictures
  /** Before the editor's own keys: true if it was for something else. */
  onKey?: (event: globalThis.KeyboardEvent) => boolean
  onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void
  autoFocus?: boolean
  disabled?: boolean
  /** Of the text. */
  className?: string
  /** Attributes of the text, such as the state of a list that its words open. */
  field?: Record<string, string>
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  ref?: Ref<RichTextHandle>
}

/** How formatted text looks on a screen. */
export const richTextStyle = cn(
  'break-words [&_a]:text-accent-fg [&_a]:underline [&_blockquote]:my-1 [&_blockquote]:border-l-2 [&_blockquote]:border-line-2 [&_blockquote]:pl-3',
  '[&_img]:inline [&_img]:h-auto [&_img]:max-w-full [&_img]:rounded-sm [&_ol]:list-decimal [&_ol]:pl-6 [&_p]:min-h-5 [&_p+p]:mt-2 [&_ul]:list-disc [&_ul]:pl-6',
)

/** A field for formatted text, with its toolbar. Its code is loaded when one is shown: use RichTextField. */
export function RichTextEditor({ html, onChange, pictures, label, className, ref, ...props }: RichTextProps) {
  const { onKey, onKeyDown, autoFocus = false, disabled = false, field } = props
  const control = useFieldControl({ 'aria-describedby': props['aria-describedby'], 'aria-invalid': props['aria-invalid'] })
  const place = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView | null>(null)
  const [state, setState] = useState<EditorState | null>(null)
  const [isLinking, setLinking] = useState(false)
  /** The HTML that the view shows. */
  const shown = useRef(html)
  /** What was given to `onChange` and has not come back as `html`: that may come late, when the view shows more. Any other HTML comes from outside. */
  const written = useRef<string[]>([])
  const uploads = usePictureUploads(pictures, view !== null, (picture) => insertPicture(picture)(view!.state, view!.dispatch))
  useImperativeHandle(ref, () => ({ focus: () => view?.focus() }), [view])

  const changed = useEffectEvent((next: EditorState, isText: boolean) => {
    setState(next)
    if (!isText) return
    const text = htmlFrom(next.doc)
    if (text === shown.current) return
    shown.current = text
    written.current.push(text)
    onChange(text)
  })
  const keyPressed = useEffectEvent((event: globalThis.KeyboardEvent) => onKey?.(event) ?? false)
  const filesGiven = useEffectEvent((files: readonly File[]) => uploads.add(files))
  const attributes = useEffectEvent(() => ({
    role: 'textbox',
    'aria-multiline': 'true',
    ...(label !== undefined && { 'aria-label': label }),
    ...Object.fromEntries(Object.entries(control).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))),
    class: cn(
      richTextStyle,
      'whitespace-break-spaces outline-none [&_.ProseMirror-selectednode]:outline-2 [&_.ProseMirror-selectednode]:outline-focus',
      className,
    ),
    ...field,
  }))
  const isEditable = useEffectEvent(() => !disabled)

  useEffect(() => {
    const made = new EditorView(place.current, {
      state: EditorState.create({ doc: docFrom(shown.current), plugins: plugins(() => setLinking(true)) }),
      attributes: () => attributes(),
      editable: () => isEditable(),
      nodeViews: {
        image: ({ attrs }) => {
          const { id, alt, width } = attrs as { id: string; alt: string; width: number | null }
          if (!pictures) return { dom: Object.assign(document.createElement('span'), { textContent: `[${alt}]` }) }
          const dom = Object.assign(document.createElement('img'), { src: pictures.addressOf(id), alt })
          if (width !== null) dom.width = width
          return { dom }
        },
      },
      dispatchTransaction(transaction) {
        const next = made.state.apply(transaction)
        made.updateState(next)
        changed(next, transaction.docChanged)
      },
      // These are for the form and what is around it.
      handleDOMEvents: { keydown: (_, { key, ctrlKey, metaKey }) => key === 'Escape' || (key === 'Enter' && (ctrlKey || metaKey)) },
      handleKeyDown: (_, event) => keyPressed(event),
      ...(!pictures && { transformPastedHTML: (pasted: string) => pasted.replace(/<img\b[^>]*>/gi, '') }),
      handlePaste: (_, event) => takeFiles(event, event.clipboardData),
      handleDrop: (_, event) => takeFiles(event, event.dataTransfer),
    })
    function takeFiles(event: Event, data: DataTransfer | null): boolean {
      const files = [...(data?.files ?? [])]
      // Word and Excel give a picture of the text as well.
      if (!pictures || files.length === 0 || hasWords(data?.getData('text/html') ?? '')) return false
      event.preventDefault()
      event.stopPropagation()
      filesGiven(files)
      return true
    }
    setView(made)
    setState(made.state)
    if (autoFocus) made.focus()
    return () => made.destroy()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- one view for the life of the field
  }, [])

  useEffect(() => {
    const back = written.current.indexOf(html)
    written.current = back < 0 ? [] : written.current.slice(back + 1)
    if (!view || back >= 0 || html === shown.current) return
    shown.current = html
    const next = EditorState.create({ doc: docFrom(html), plugins: view.state.plugins })
    view.updateState(next.apply(next.tr.setSelection(Selection.atEnd(next.doc))))
    setState(view.state)
  }, [view, html])

  // Its attributes follow the props.
  useEffect(() => view?.setProps({}))

  return (
    <div>
      {view && state && (
        <RichTextToolbar
          view={view}
          state={state}
          disabled={disabled}
          onLink={() => setLinking(true)}
          onPictures={pictures && uploads.add}
        />
      )}
      {view && state && isLinking && <LinkBar view={view} state={state} onClose={() => setLinking(false)} />}
      <div ref={place} role="presentation" onKeyDown={onKeyDown} />
      {uploads.lines}
    </div>
  )
}

const hasWords = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent.trim() !== ''

/** Formatted text, to read. Loaded when shown: use RichTextView. */
export function ReadRichText({ html, pictures, className }: { html: string; pictures?: Pictures; className?: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const body = domFrom(docFrom(html))
    for (const image of body.querySelectorAll('img')) image.src = pictures?.addressOf(image.src.replace(/^cid:/, '')) ?? ''
    place.current?.replaceChildren(...body.childNodes)
  }, [html, pictures])
  return <div ref={place} className={cn(richTextStyle, className)} />
}
