import { useQuery } from '@tanstack/react-query'
import { FileCheck2, Send } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { ChartSection } from '../../../health/web/embed/ChartSection.tsx'
import { ConsentRow } from '../ConsentRow.tsx'
import { useConsentActions } from '../useConsentActions.tsx'

const SendConsentDialog = lazyDialog(
  () => import('../SendConsentDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The consent forms of a patient in the chart: what was sent, signed, declined and withdrawn. */
export function PatientConsents({ contactId }: { contactId: string }) {
  const may = usePermission()
  const actions = useConsentActions()
  const [isSending, setSending] = useState(false)
  const list = useQuery(orpc.consentForms.ofContact.queryOptions({ input: { contactId }, enabled: may('consentForms.ofContact') }))
  if (!may('consentForms.ofContact')) return null
  return (
    <ChartSection title="Consents">
      {/* The side column is too narrow for them beside the heading. Above the list, they stay where they are when it grows. */}
      <div className="-ml-2.5 flex flex-wrap pt-1">
        <Button
          size="sm"
          variant="quiet"
          icon={<Send />}
          className="text-fg"
          onPointerEnter={SendConsentDialog.prepare}
          onClick={() => setSending(true)}
        >
          Send consent form
        </Button>
        {actions.recordPaper && (
          <Button size="sm" variant="quiet" icon={<FileCheck2 />} className="text-fg" onClick={() => actions.recordPaper?.({ contactId })}>
            Record paper consent
          </Button>
        )}
      </div>
      {list.data ? (
        list.data.length > 0 ? (
          <ul aria-label="Consents">
            {list.data.map((consent) => (
              <ConsentRow key={consent.id} consent={consent} actions={actions} />
            ))}
          </ul>
        ) : (
          <p className="py-2.5 text-sm text-fg-3">No consents yet</p>
        )
      ) : list.error ? (
        <ErrorState title="Couldn’t load consents" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {messageOf(list.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-3 py-3">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </div>
      )}
      {isSending && (
        <SendConsentDialog
          contactId={contactId}
          onClose={() => setSending(false)}
          onSent={() => {
            setSending(false)
            actions.refresh()
          }}
        />
      )}
      {actions.dialogs}
    </ChartSection>
  )
}
