import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { KeyboardEventHandler, ReactNode } from 'react'
import { cn } from '../cn.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { useFocusOnOpen } from './useFocusOnOpen.ts'
import { useRestoreFocus } from './useRestoreFocus.ts'

interface FullScreenProps {
  onClose: () => void
  title: ReactNode
  /** After the title, quieter. */
  description?: ReactNode
  /** Right side of the head. */
  tools?: ReactNode
  /** On a phone, the tools stay in the line of the title instead of taking one of their own. */
  hasShortTools?: boolean
  /** `dark` for pictures; `page` follows the theme. */
  theme?: 'dark' | 'page'
  /** Keys anywhere in the layer. */
  onKeyDown?: KeyboardEventHandler
  children: ReactNode
}

/** A layer over the whole screen. It is dark for pictures, so that nothing beside them is bright. */
export function FullScreen({
  onClose,
  title,
  description,
  tools,
  hasShortTools = false,
  theme = 'dark',
  onKeyDown,
  children,
}: FullScreenProps) {
  const focus = useRestoreFocus()
  const content = useFocusOnOpen({ focus: (layer) => layer.focus(), callOff: onClose })
  return (
    <Primitive.Root open onOpenChange={() => onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          ref={content}
          tabIndex={-1}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            focus.begin(event.currentTarget)
          }}
          onCloseAutoFocus={(event) => focus.end(event)}
          onInteractOutside={(event) => event.preventDefault()}
          onKeyDown={onKeyDown}
          className={cn(
            'fixed inset-0 z-(--z-dialog) flex h-dvh w-screen animate-fade flex-col overflow-hidden text-fg outline-none',
            theme === 'dark' ? 'dark bg-canvas' : 'bg-surface',
          )}
        >
          <header className="flex min-h-14 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 pr-3 pl-2 md:pr-4 md:pl-3">
            <IconButton label="Close" keys="Escape" icon={<X />} size="lg" tooltipSide="bottom" onClick={onClose} />
            <div className="min-w-0 flex-1">
              <Primitive.Title className="truncate text-sm font-semibold">{title}</Primitive.Title>
              {description !== undefined && (
                <Primitive.Description className="truncate text-xs text-fg-2">{description}</Primitive.Description>
              )}
            </div>
            {tools && (
              <div
                className={cn(
                  'flex flex-none items-center justify-center gap-2 empty:hidden',
                  !hasShortTools && 'max-md:basis-full max-md:flex-wrap',
                )}
              >
                {tools}
              </div>
            )}
          </header>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
