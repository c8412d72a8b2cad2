import { useEffect, useRef, type ReactNode } from 'react'
import { cn } from '../../ui/cn.ts'
import { LoadingDialog, useDialogCode } from '../../ui/overlays/lazy-dialog.tsx'
import { type Loadable, loadable } from '../../ui/hooks/useLoaded.ts'
import { useEditing } from './editing.ts'
import type { FactName } from '../../crm/contacts/fields.ts'

const editor: Loadable<typeof import('./FactEditor.tsx')> = loadable(() => import('./FactEditor.tsx'))

interface EditableValueProps {
  fact: FactName
  /** What it is called, for the button's name. */
  label: string
  children: ReactNode
  className?: string
  /** The value is the page's heading; the editor in its place is none. */
  heading?: boolean
}

/** A value that is a button: a click or Enter puts its editor in its place. */
export function EditableValue({ fact, label, children, className, heading = false }: EditableValueProps) {
  const { open, edit } = useEditing()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const isOpen = open === fact

  // Back from the editor the focus is on the value again, unless it went on to another one.
  useEffect(() => {
    if (wasOpen.current && open === null) button.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [open, isOpen])

  const words = (
    <button
      ref={button}
      type="button"
      data-fact={fact}
      onClick={() => edit(fact)}
      // The editor's code comes while the pointer or the focus is still on its way.
      onPointerEnter={editor.prepare}
      onFocus={editor.prepare}
      className={cn(
        '-mx-1.5 -my-0.5 max-w-[calc(100%+0.75rem)] min-w-0 rounded-sm px-1.5 py-0.5 text-left wrap-anywhere outline-offset-0 hover:bg-hover max-md:py-1.5',
        className,
      )}
    >
      <span className="sr-only">{label}: </span>
      {children}
    </button>
  )
  const value = heading ? <h1>{words}</h1> : words
  return isOpen ? <Editor fact={fact} until={value} /> : value
}

/** The value stays until its editor's code is there. */
function Editor({ fact, until }: { fact: FactName; until: ReactNode }) {
  const { close } = useEditing()
  const loaded = useDialogCode(editor, close)
  if (!loaded) {
    return (
      <>
        {until}
        <LoadingDialog onClose={close} />
      </>
    )
  }
  const { default: FactEditor } = loaded
  return <FactEditor fact={fact} />
}

interface EditableFactProps extends EditableValueProps {
  /** Beside the value: what dials or writes. */
  action?: ReactNode
}

/** A row of the panel whose value is edited in place; the editor takes the whole row. */
export function EditableFact({ label, action, className, ...value }: EditableFactProps) {
  const { open } = useEditing()
  const isOpen = open === value.fact
  return (
    <div className={cn('group/fact flex min-h-5 text-sm', isOpen && 'py-1')}>
      <dt className={cn('w-29 flex-none text-fg-3 max-md:py-1', isOpen && 'sr-only')}>{label}</dt>
      <dd className="flex min-w-0 flex-1 items-start justify-between gap-2 text-fg">
        <EditableValue {...value} label={label} className={cn('flex-1', className)} />
        {!isOpen && action}
      </dd>
    </div>
  )
}
