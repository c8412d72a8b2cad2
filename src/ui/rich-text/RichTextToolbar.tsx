import { Bold, ImagePlus, Italic, Link, List, ListOrdered, Quote, Underline } from 'lucide-react'
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { Toolbar } from 'radix-ui'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../controls/Button.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { Input } from '../controls/Input.tsx'
import { Field } from '../forms/Field.tsx'
import { commands, type Format, isActive, linkAt, readAddress, setLink } from './editing.ts'

const formats: readonly { format: Format; label: string; keys: string; icon: typeof Bold }[] = [
  { format: 'bold', label: 'Bold', keys: 'mod+b', icon: Bold },
  { format: 'italic', label: 'Italic', keys: 'mod+i', icon: Italic },
  { format: 'underline', label: 'Underline', keys: 'mod+u', icon: Underline },
  { format: 'bullets', label: 'Bulleted list', keys: 'mod+shift+8', icon: List },
  { format: 'numbers', label: 'Numbered list', keys: 'mod+shift+7', icon: ListOrdered },
  { format: 'quote', label: 'Quote', keys: 'mod+shift+9', icon: Quote },
]

interface EditingProps {
  view: EditorView
  state: EditorState
}

interface RichTextToolbarProps extends EditingProps {
  disabled: boolean
  onLink: () => void
  /** Without it, the text has no pictures. */
  onPictures: ((files: readonly File[]) => void) | undefined
}

/** One stop of the Tab key: the arrow keys move within it. */
export function RichTextToolbar({ view, state, disabled, onLink, onPictures }: RichTextToolbarProps) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <Toolbar.Root aria-label="Formatting" className="flex flex-wrap items-center gap-0.5 px-2 pt-1">
      {formats.map(({ format, label, keys, icon: Icon }) => (
        <Toolbar.Button key={format} asChild>
          <IconButton
            label={label}
            keys={keys}
            size="sm"
            icon={<Icon />}
            disabled={disabled}
            aria-pressed={isActive[format](state)}
            className="aria-pressed:bg-active aria-pressed:text-fg"
            // The selection of the text stays.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              commands[format](view.state, view.dispatch, view)
              view.focus()
            }}
          />
        </Toolbar.Button>
      ))}
      <Toolbar.Button asChild>
        <IconButton
          label="Link"
          keys="mod+shift+k"
          size="sm"
          icon={<Link />}
          disabled={disabled}
          aria-pressed={linkAt(state) !== null}
          className="aria-pressed:bg-active aria-pressed:text-fg"
          onClick={onLink}
        />
      </Toolbar.Button>
      {onPictures && (
        <>
          <Toolbar.Button asChild>
            <IconButton label="Picture" size="sm" icon={<ImagePlus />} disabled={disabled} onClick={() => chooser.current?.click()} />
          </Toolbar.Button>
          <input
            ref={chooser}
            type="file"
            multiple
            accept="image/jpeg,image/png,image/heic,image/heif,.heic"
            aria-label="Pictures to add"
            className="sr-only"
            tabIndex={-1}
            onChange={({ target }) => {
              onPictures([...(target.files ?? [])])
              target.value = ''
            }}
          />
        </>
      )}
    </Toolbar.Root>
  )
}

/** Asks for the address of a link. */
export function LinkBar({ view, state, onClose }: EditingProps & { onClose: () => void }) {
  const [link] = useState(() => linkAt(state))
  const [typed, setTyped] = useState(link?.href.replace(/^mailto:/, '') ?? '')
  const [error, setError] = useState<string>()
  function done(href?: string | null) {
    if (href !== undefined) setLink(href)(view.state, view.dispatch)
    onClose()
    view.focus()
  }
  function apply() {
    const href = readAddress(typed)
    if (href === null) setError('Type a web address or an email address')
    else done(href)
  }
  // The form around it must not be sent.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') apply()
    else done()
  }
  return (
    <div role="group" aria-label="Link" className="flex flex-wrap items-end gap-2 px-4 py-2">
      <Field label="Address of the link" error={error} className="min-w-48 flex-1">
        <Input
          autoFocus
          value={typed}
          maxLength={2_000}
          placeholder="example.com"
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <Button onClick={apply}>{link ? 'Change link' : 'Add link'}</Button>
      {link && (
        <Button variant="quiet" onClick={() => done(null)}>
          Remove link
        </Button>
      )}
      <Button variant="quiet" onClick={() => done()}>
        Cancel
      </Button>
    </div>
  )
}
