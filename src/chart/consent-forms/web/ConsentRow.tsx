import { Copy, EllipsisVertical, FileCheck2, Send, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useClock } from '../../../ui/client/session.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { type Clock, formatDate, formatDay } from '../../../ui/format.ts'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { unbroken } from '../../../ui/unbroken.ts'
import type { ConsentData } from './consent-data.ts'
import { formatStatus, scopeLabels, toneOf } from './labels.ts'
import type { ConsentActions } from './useConsentActions.tsx'

/** A consent form in a list: its title, what happened last, and its status. */
export function ConsentRow({ consent, actions }: { consent: ConsentData; actions: ConsentActions }) {
  const clock = useClock()
  const { title, emailProblem, askedAt } = consent
  const isOpen = consent.status === 'sent'
  const facts = (
    <>
      <span className="min-w-0 flex-1">
        <span className="block font-medium [overflow-wrap:anywhere] text-fg">{title.en}</span>
        <span className="block text-xs text-fg-3">{formatLastStep(consent, clock)}</span>
        {isOpen && askedAt !== null && <span className="block text-xs text-warning-fg">The patient has a question</span>}
        {emailProblem && (
          <span className="block text-xs text-danger-fg">
            {isOpen ? 'The email was not sent' : 'The email about the sealed copy was not sent'}: {emailProblem}
          </span>
        )}
      </span>
      <Badge tone={toneOf(consent)}>{formatStatus(consent)}</Badge>
    </>
  )
  return (
    <ConsentLine
      menu={
        isOpen ? (
          <DropdownMenu trigger={<IconButton label={`Actions for ${title.en}`} size="sm" icon={<EllipsisVertical />} />}>
            <MenuItem icon={<Copy />} onSelect={() => void copyLink(consent.link)}>
              Copy link
            </MenuItem>
            {actions.resend && consent.sentTo !== null && (
              <MenuItem icon={<Send />} onSelect={() => void actions.resend?.(consent)}>
                Resend email
              </MenuItem>
            )}
            {actions.recordPaper && (
              <MenuItem icon={<FileCheck2 />} onSelect={() => actions.recordPaper?.(consent)}>
                Record paper consent
              </MenuItem>
            )}
            {actions.cancel && (
              <MenuItem icon={<Undo2 />} danger onSelect={() => actions.cancel?.(consent)}>
                Cancel consent form
              </MenuItem>
            )}
          </DropdownMenu>
        ) : consent.status === 'signed' && actions.withdraw ? (
          <DropdownMenu trigger={<IconButton label={`Actions for ${title.en}`} size="sm" icon={<EllipsisVertical />} />}>
            <MenuItem icon={<Undo2 />} danger onSelect={() => actions.withdraw?.(consent)}>
              Record withdrawal
            </MenuItem>
          </DropdownMenu>
        ) : null
      }
    >
      {actions.open ? (
        <button
          type="button"
          onPointerEnter={actions.prepareDrawer}
          onClick={() => actions.open?.(consent)}
          className="-ml-2 flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-sm py-1.5 pr-1 pl-2 text-left text-sm outline-offset-[-2px] hover:bg-hover"
        >
          {facts}
        </button>
      ) : (
        <div className="flex min-h-11 min-w-0 flex-1 items-center gap-3 py-1.5 text-sm">{facts}</div>
      )}
    </ConsentLine>
  )
}

export function ConsentLine({ children, menu }: { children: ReactNode; menu: ReactNode }) {
  const line = useRef<HTMLLIElement>(null)
  const had = useRef(false)
  const has = menu !== null
  // The menu had the focus: it opened the dialog that ended what it offers.
  useEffect(() => {
    if (had.current && !has && document.activeElement === document.body) (line.current?.querySelector('button') ?? line.current)?.focus()
    had.current = has
  }, [has])
  return (
    <li ref={line} tabIndex={-1} className="flex items-center gap-1 border-b border-line outline-none last:border-b-0">
      {children}
      {menu ?? <span aria-hidden="true" className="size-7 flex-none" />}
    </li>
  )
}

/** 'Emailed Nov 27, 2026', 'Signed Nov 27, 2026, countersigned Nov 28, 2026' */
function formatLastStep(consent: ConsentData, { timeZone }: Clock): string {
  const on = (at: string | Date) => unbroken(formatDate(at, timeZone))
  if (consent.status === 'withdrawn') return `Since ${unbroken(formatDay(consent.withdrawnOn!))}`
  if (consent.declinedAt) return `On ${on(consent.declinedAt)}`
  if (consent.cancelledAt) return `On ${on(consent.cancelledAt)}`
  if (consent.signedAt === null) return `${consent.sentTo === null ? 'Link created' : 'Emailed'} ${on(consent.sentAt)}`
  return [
    `${consent.sentVia === 'paper' ? 'Signed on paper' : 'Signed'} ${on(consent.signedAt)}`,
    // The badge says that it is countersigned.
    consent.countersignedAt && on(consent.countersignedAt) !== on(consent.signedAt) && `countersigned ${on(consent.countersignedAt)}`,
    consent.withdrawnScopes.length > 0 &&
      `withdrawn: ${consent.withdrawnScopes.map((scope) => scopeLabels[scope].toLowerCase()).join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ')
}

async function copyLink(link: string) {
  try {
    await navigator.clipboard.writeText(link)
    toast.success('Link copied')
  } catch {
    toast.error('Couldn’t copy the link', link)
  }
}
