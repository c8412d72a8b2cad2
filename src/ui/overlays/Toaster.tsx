import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Toaster as Sonner, toast as sonner, useSonner } from 'sonner'
import { cn } from '../cn.ts'
import { Keys } from '../display/Kbd.tsx'
import { registerToaster, type ToastMessage } from './toast.ts'
import { useFooterHeight } from '../hooks/useFooterHeight.ts'

const icons = { success: CircleCheck, error: CircleAlert, info: Info }
/** Patients see toasts, too, on a page in their language. */
const dismiss = { en: 'Dismiss', fr: 'Fermer' }
const colours = { success: 'text-success', error: 'text-danger', info: 'text-info' }

/** In px, from the window's edge or the buttons there. */
const margin = 20
let shownCount = 0

/** Only the latest plain success or generic toast is shown: it replaces the previous one. */
const placeOf = ({ kind, undo, single }: ToastMessage): string | undefined =>
  single ? 'single' : kind === 'success' && !undo ? 'success' : undefined

/** Spec 9: at most 3 visible. Centred, above the buttons at the bottom of a page, so that toasts cover nothing that is pressed next. */
export default function Toaster() {
  const { toasts } = useSonner()
  const foot = useFooterHeight(toasts.length > 0)
  useEffect(() => {
    registerToaster((message) => {
      const key = ++shownCount
      const shown = sonner.custom((id) => <ToastCard key={key} message={message} close={() => sonner.dismiss(id)} />, {
        id: placeOf(message),
        // The card has its own timer: paused on hover, on focus and in a hidden tab.
        duration: Number.POSITIVE_INFINITY,
        unstyled: true,
        className: 'w-full',
      })
      return () => void sonner.dismiss(shown)
    })
  }, [])
  return (
    <Sonner
      style={{ '--width': '25rem' } as React.CSSProperties}
      // On a phone, the buttons the toast refers to may be at the bottom.
      position={matchMedia('(width < 48rem)').matches ? 'top-center' : 'bottom-center'}
      visibleToasts={3}
      gap={8}
      offset={{ bottom: foot + margin }}
      mobileOffset={12}
      expand
      className="z-(--z-toast)! font-sans!"
    />
  )
}

function ToastCard({ message, close }: { message: ToastMessage; close: () => void }) {
  const { kind, title, description, action, undo } = message
  const [pressed, setPressed] = useState(false)
  const Icon = icons[kind]
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className="group/toast pointer-events-auto relative flex w-full items-start gap-3 overflow-hidden rounded-md bg-raised py-4 pr-3 pl-4 text-sm text-fg shadow-md"
    >
      <Icon aria-hidden="true" className={cn('mt-0.5', colours[kind])} />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{title}</p>
        {description && <p className="break-words text-fg-2">{description}</p>}
      </div>
      {action && (
        <button
          type="button"
          disabled={pressed}
          onClick={() => {
            setPressed(true)
            action.onPress()
            close()
          }}
          className={cn(
            'relative -my-1 flex h-7 flex-none items-center gap-2 rounded-sm px-2 font-medium touch-target hover:bg-hover',
            undo ? 'text-accent-fg' : 'text-fg-2',
          )}
        >
          {action.label}
          {action.keys && <Keys keys={action.keys} className="max-md:hidden" />}
        </button>
      )}
      {!undo && (
        <button
          type="button"
          aria-label={dismiss[document.documentElement.lang === 'fr' ? 'fr' : 'en']}
          onClick={close}
          className="relative -my-1 flex size-7 flex-none items-center justify-center rounded-sm text-fg-3 touch-target hover:bg-hover hover:text-fg"
        >
          <X />
        </button>
      )}
      {kind !== 'error' && (
        <span
          aria-hidden="true"
          onAnimationEnd={close}
          className={cn(
            'absolute size-0 group-focus-within/toast:[animation-play-state:paused] group-hover/toast:[animation-play-state:paused]',
            undo ? 'animate-time-undo' : 'animate-time-toast',
          )}
        />
      )}
      {kind === 'success' && (
        <span
          aria-hidden="true"
          className={cn(
            'absolute inset-x-0 bottom-0 h-0.5 origin-left bg-success motion-reduce:hidden',
            'group-focus-within/toast:[animation-play-state:paused] group-hover/toast:[animation-play-state:paused]',
            undo ? 'animate-drain-undo' : 'animate-drain-success',
          )}
        />
      )}
    </div>
  )
}
