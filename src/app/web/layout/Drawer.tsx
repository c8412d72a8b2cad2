import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

/** The sidebar on a phone: slides in from the left. */
export default function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Primitive.Root open onOpenChange={onClose}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-(--z-drawer) animate-fade bg-scrim md:hidden" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-(--z-drawer) w-(--sidebar-drawer) max-w-[85vw] animate-drawer-left bg-canvas shadow-lg outline-none md:hidden"
        >
          <Primitive.Title className="sr-only">Menu</Primitive.Title>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
