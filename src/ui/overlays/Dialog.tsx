import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'
import { cn } from '../cn.ts'
import { useRestoreFocus } from './useRestoreFocus.ts'
import { focusFirstField, useFocusOnOpen } from './useFocusOnOpen.ts'

/** What the header of a dialog has other than its title and description. */
interface DialogHead {
  /** Next to the title, muted. */
  aside?: ReactNode
  /** Right side, before the ×: position among several steps. */
  end?: ReactNode
  /** For patients: larger text, targets of 48 px. */
  isRoomy?: boolean
  /** Names the ×; in English unless stated. */
  closeLabel?: string
}

export interface DialogProps {
  onClose: () => void
  title: ReactNode
  /** Below the title, and read to screen readers after it. */
  description?: ReactNode
  head?: DialogHead
  /** 480 forms, 640 with side facts, 748 a page of 700, 1064 payment. */
  size?: keyof typeof widths
  /** False keeps it open on Esc and outside clicks: while sending. */
  dismissible?: boolean
  /** Where the focus goes on close. */
  onCloseAutoFocus?: (event: Event) => void
  children: ReactNode
}

const widths = { sm: 'md:w-120', md: 'md:w-160', viewer: 'md:w-193', lg: 'md:w-266' }

/** Contains a DialogBody and a DialogFooter (optionally wrapped in a Form with `className={dialogForm}`). Fills the screen on a phone. */
export function Dialog({
  onClose,
  title,
  description,
  head = {},
  size = 'sm',
  dismissible = true,
  onCloseAutoFocus,
  children,
}: DialogProps) {
  const { aside, end, isRoomy, closeLabel = 'Close' } = head
  const focus = useRestoreFocus()
  const content = useFocusOnOpen({
    focus: focusFirstField,
    callOff: () => {
      if (dismissible) onClose()
    },
  })
  const hold = (event: Event) => {
    // A toast above the dialog can be closed or undone without closing the dialog.
    const inToast = event.target instanceof Element && event.target.closest('[data-sonner-toaster]')
    if (!dismissible || inToast) event.preventDefault()
  }
  return (
    <Primitive.Root open onOpenChange={() => onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-(--z-dialog) grid animate-fade bg-scrim md:grid-cols-1 md:place-items-center md:overflow-y-auto md:p-6">
          <Primitive.Content
            ref={content}
            {...(description === undefined ? { 'aria-describedby': undefined } : {})}
            onOpenAutoFocus={(event) => {
              event.preventDefault()
              focus.begin(event.currentTarget)
            }}
            onCloseAutoFocus={(event) => {
              onCloseAutoFocus?.(event)
              focus.end(event)
            }}
            onKeyDown={submitByKey}
            onKeyDownCapture={(event) => {
              // Otherwise the key would open the list of a select.
              if (event.target instanceof Element && event.target.closest('button[role="combobox"]')) submitByKey(event)
            }}
            onEscapeKeyDown={hold}
            onInteractOutside={hold}
            className={cn(
              'flex h-dvh w-screen animate-dialog flex-col overflow-hidden bg-raised text-fg outline-none',
              'md:h-auto md:max-h-[calc(100dvh-3rem)] md:max-w-full md:rounded-xl md:shadow-lg',
              widths[size],
            )}
          >
            <header className="flex min-h-14 flex-none items-center gap-3 border-b border-line py-3 pr-2 pl-4 md:min-h-16 md:py-4 md:pr-4 md:pl-6">
              <div className="min-w-0 flex-1">
                <div className="flex items-baseline gap-3">
                  <Primitive.Title className={cn('font-semibold', isRoomy ? 'text-portal' : 'text-lg')}>{title}</Primitive.Title>
                  {aside && <span className="max-w-1/2 flex-none truncate text-sm text-fg-3">{aside}</span>}
                </div>
                {description !== undefined && <Primitive.Description className="text-sm text-fg-2">{description}</Primitive.Description>}
              </div>
              {end}
              <Primitive.Close
                aria-label={closeLabel}
                disabled={!dismissible}
                className={cn(
                  'relative flex size-9 flex-none items-center justify-center rounded-sm text-fg-2 touch-target hover:bg-hover hover:text-fg disabled:text-fg-disabled md:size-(--control)',
                  isRoomy && 'size-12 rounded-lg md:size-12 [&>svg]:size-5',
                )}
              >
                <X />
              </Primitive.Close>
            </header>
            {children}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** Ctrl or ⌘ with Enter presses the primary button from any field, unless the content handled the key. */
function submitByKey(event: KeyboardEvent<HTMLElement>) {
  const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat && !event.nativeEvent.isComposing
  // A nested dialog is a child only in React's tree.
  if (!isSubmit || event.defaultPrevented || !event.currentTarget.contains(event.target as Node)) return
  const primary = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('[data-primary]:not(:disabled)')].at(-1)
  if (!primary) return
  event.preventDefault()
  primary.click()
}

/** Class of a form around a DialogBody and a DialogFooter. */
export const dialogForm = 'flex min-h-0 flex-1 flex-col'

export function DialogBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div data-dialog-body className={cn('relative min-h-0 flex-1 overflow-y-auto p-4 md:px-6 md:py-5', className)} {...rest} />
}

/** Right-aligned: Cancel, then the primary button, both `size="lg"`. On a phone the primary takes the width. */
export function DialogFooter({ note, className, children, ...rest }: ComponentProps<'footer'> & { note?: ReactNode }) {
  return (
    <footer
      className={cn(
        'flex flex-none flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6 max-md:[&>button:last-child]:flex-1',
        className,
      )}
      {...rest}
    >
      {note && <p className="mr-auto text-sm text-fg-2 max-md:w-full">{note}</p>}
      {children}
    </footer>
  )
}
