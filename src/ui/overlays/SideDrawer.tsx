import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { cn } from '../cn.ts'
import { focusFirstField, useFocusOnOpen } from './useFocusOnOpen.ts'
import { useRestoreFocus } from './useRestoreFocus.ts'

interface SideDrawerProps {
  title: ReactNode
  /** Below the title, and read to screen readers after it. */
  description?: ReactNode
  /** Next to the title: a status. */
  aside?: ReactNode
  onClose: () => void
  children: ReactNode
  /** Stays visible below the scrolling content. */
  footer?: ReactNode
  /** Opened to be filled in: its first field gets the focus, not the drawer. */
  isForm?: boolean
  /** Without focusable content it takes the focus itself, for keyboard scrolling. */
  isReadOnly?: boolean
  /** Over dark pictures. */
  isDark?: boolean
  /** What gets the focus on close, if not the element that had it before. */
  returnTo?: () => HTMLElement | null
}

/** 480 px wide on the right, for a quick look at a row; fills the screen on a phone. Returns the focus on close. */
export function SideDrawer({
  title,
  description,
  aside,
  onClose,
  children,
  footer,
  isForm = false,
  isReadOnly = false,
  isDark = false,
  returnTo,
}: SideDrawerProps) {
  const [opener] = useState(() => document.activeElement)
  const [layer] = useState(() => opener?.closest('[role="dialog"]'))
  const restored = useRestoreFocus()
  const content = useFocusOnOpen({ focus: (drawer) => (isForm ? focusFirstField(drawer) : drawer.focus()), callOff: onClose })
  return (
    <Primitive.Root open onOpenChange={onClose}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-(--z-dialog) animate-fade bg-scrim" />
        <Primitive.Content
          ref={content}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={(event) => {
            restored.begin(event.target)
            event.preventDefault()
          }}
          // Clicks in a toast, such as Undo, do not close what it is about.
          onInteractOutside={(event) => {
            if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]')) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            // What opened it may be gone by now: then the layer that it was in, or what had the focus before.
            const target = returnTo?.() ?? [opener, layer].find((element) => element?.isConnected)
            if (!(target instanceof HTMLElement)) return restored.end(event)
            event.preventDefault()
            target.focus()
          }}
          className={cn(
            'fixed inset-y-0 right-0 z-(--z-dialog) flex w-full animate-drawer-right flex-col bg-raised text-fg shadow-lg outline-none md:w-(--drawer)',
            isDark && 'dark',
          )}
        >
          <header className="flex min-h-14 flex-none items-center gap-3 border-b border-line py-2.5 pr-2 pl-4 md:min-h-16 md:pr-4 md:pl-6">
            <div className="min-w-0">
              <Primitive.Title className="line-clamp-4 text-lg font-semibold wrap-anywhere">{title}</Primitive.Title>
              {description !== undefined && <Primitive.Description className="text-sm text-fg-2">{description}</Primitive.Description>}
            </div>
            {aside}
            <Primitive.Close
              aria-label="Close"
              className="relative ml-auto flex size-9 flex-none items-center justify-center rounded-sm text-fg-2 touch-target hover:bg-hover hover:text-fg md:size-(--control)"
            >
              <X />
            </Primitive.Close>
          </header>
          <div
            data-dialog-body
            // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
            tabIndex={isReadOnly ? 0 : undefined}
            className="relative min-h-0 flex-1 overflow-y-auto px-4 py-5 outline-offset-[-2px] md:px-6"
          >
            {children}
          </div>
          {footer && (
            <footer className="flex flex-none flex-wrap gap-2 border-t border-line px-4 py-3 empty:hidden md:px-6">{footer}</footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
