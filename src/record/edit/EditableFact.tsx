import { useEffect, useRef, type ReactNode } from 'react'
import { cn } from '../../ui/cn.ts'
import { LoadingDialog, useDialogCode } from '../../ui/overlays/lazy-dialog.tsx'
import { type Loadable, loadable } from '../../ui/hooks/useLoaded.ts'
import { useEditing } from './editing.ts'
import type { FactName } from '../../crm/contacts/form-fields.ts'

const editor: Loadable<typeof import('./FactEditor.tsx')> = loadable(() => import('./FactEditor.tsx'))

interface EditableValueProps {
  fact: FactName
  /** The accessible name of the button. */
  label: string
  children: ReactNode
  className?: string
  /** Whether the value is the page's heading; its editor is not. */
  heading?: boolean
}

/** A value shown as a button that opens its editor in place. */
export function EditableValue({ fact, label, children, className, heading = false }: EditableValueProps) {
  const { open, edit } = useEditing()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const isOpen = open === fact

  // When the editor closes, return the focus to the value unless another editor opened.
  useEffect(() => {
    if (wasOpen.current && open === null) button.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [open, isOpen])

  const display = (
    <button
      ref={button}
      type="button"
      data-fact={fact}
      onClick={() => edit(fact)}
      // Preload the editor on hover or focus.
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
  const value = heading ? <h1>{display}</h1> : display
  return isOpen ? <Editor fact={fact} fallback={value} /> : value
}

/** Shows the value until the editor's code is loaded. */
function Editor({ fact, fallback }: { fact: FactName; fallback: ReactNode }) {
  const { close } = useEditing()
  const loaded = useDialogCode(editor, close)
  if (!loaded) {
    return (
      <>
        {fallback}
        <LoadingDialog onClose={close} />
      </>
    )
  }
  const { default: FactEditor } = loaded
  return <FactEditor fact={fact} />
}

interface EditableFactProps extends EditableValueProps {
  /** A call or email link next to the value. */
  action?: ReactNode
}

/** A row of the panel whose value is edited in place; the editor uses the whole row. */
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
