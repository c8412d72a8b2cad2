import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

interface DrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** Actions left of the ×. */
  actions?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

/** 480 wide at the right, for a quick look; fills a phone. */
export function Drawer({ open, onOpenChange, title, actions, footer, children }: DrawerProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-(--z-drawer) animate-fade bg-scrim" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-(--z-drawer) flex w-full animate-drawer-right flex-col bg-raised text-fg shadow-lg outline-none md:inset-y-2 md:right-2 md:w-(--drawer) md:rounded-lg"
        >
          <header className="flex min-h-14 flex-none items-center gap-2 border-b border-line pr-2 pl-4 md:pl-6">
            <Primitive.Title className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</Primitive.Title>
            {actions}
            <Primitive.Close
              aria-label="Close"
              className="relative flex size-9 flex-none items-center justify-center rounded-sm text-fg-2 touch-target hover:bg-hover hover:text-fg md:size-(--control)"
            >
              <X />
            </Primitive.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-4 md:px-6 md:py-5">{children}</div>
          {footer && (
            <footer className="flex flex-none items-center justify-end gap-2 border-t border-line px-4 py-3 md:px-6">{footer}</footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
