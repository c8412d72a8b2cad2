import { useQuery } from '@tanstack/react-query'
import { EllipsisVertical, FileCheck2, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import type { RequiredData } from '../consent-data.ts'
import { ConsentLine, ConsentRow } from '../ConsentRow.tsx'
import { useConsentActions } from '../useConsentActions.tsx'

const SendConsentDialog = lazyDialog(
  () => import('../SendConsentDialog.tsx'),
  ({ onClose }) => onClose(),
)

const isUnsent = ({ isInForce, consent }: RequiredData): boolean =>
  !isInForce && (consent === null || (consent.status !== 'sent' && !consent.awaitsCountersignature))

/** The consent forms that a surgery requires, with one button that sends those that are missing. Hidden if it requires none. */
export function SurgeryConsents({ surgeryId, contactId }: { surgeryId: string; contactId: string }) {
  const may = usePermission()
  const actions = useConsentActions()
  const [isSending, setSending] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const hadUnsent = useRef(false)
  const list = useQuery(orpc.consentForms.ofSurgery.queryOptions({ input: { id: surgeryId }, enabled: may('consentForms.ofSurgery') }))
  const unsent = list.data?.filter(isUnsent).length ?? 0
  useEffect(() => {
    // The button that sent them is gone, and the focus with it.
    if (hadUnsent.current && unsent === 0) heading.current?.focus()
    hadUnsent.current = unsent > 0
  }, [unsent])
  if (list.error && !list.data) {
    return (
      <p role="alert" className="text-sm text-danger-fg">
        Couldn’t load the consents.{' '}
        <Button size="sm" variant="quiet" onClick={() => void list.refetch()}>
          Try again
        </Button>
      </p>
    )
  }
  if (!list.data || list.data.length === 0) return null
  return (
    <div role="group" aria-label="Consents">
      <div className="flex min-h-8 items-center gap-2 border-b border-line pb-1.5">
        <h3 ref={heading} tabIndex={-1} className="text-sm font-semibold text-fg outline-none">
          Consents
        </h3>
        <span className="text-sm text-fg-3 tabular-nums">
          {list.data.filter(({ isInForce }) => isInForce).length} of {list.data.length} in force
        </span>
        {may('consentForms.sendRequired') && unsent > 0 && (
          <Button size="sm" variant="quiet" icon={<Send />} className="ml-auto" onClick={() => setSending(true)}>
            Send all required
          </Button>
        )}
      </div>
      <ul aria-label="Required consents">
        {list.data.map(({ templateId, title, consent }) =>
          consent ? (
            <ConsentRow key={templateId} consent={consent} actions={actions} />
          ) : (
            <ConsentLine
              key={templateId}
              menu={
                actions.recordPaper && (
                  <DropdownMenu trigger={<IconButton label={`Actions for ${title.en}`} size="sm" icon={<EllipsisVertical />} />}>
                    <MenuItem icon={<FileCheck2 />} onSelect={() => actions.recordPaper?.({ contactId, templateId, surgeryId })}>
                      Record paper consent
                    </MenuItem>
                  </DropdownMenu>
                )
              }
            >
              <div className="flex min-h-11 min-w-0 flex-1 items-center gap-3 py-1.5 text-sm">
                <span className="min-w-0 flex-1 font-medium text-fg">{title.en}</span>
                <Badge>Not sent</Badge>
              </div>
            </ConsentLine>
          ),
        )}
      </ul>
      {isSending && (
        <SendConsentDialog
          contactId={contactId}
          required={{ surgeryId, titles: list.data.filter(isUnsent).map(({ title }) => title.en) }}
          onClose={() => setSending(false)}
          onSent={() => {
            setSending(false)
            actions.refresh()
          }}
        />
      )}
      {actions.dialogs}
    </div>
  )
}
