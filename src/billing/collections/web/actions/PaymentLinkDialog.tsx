import { useQuery } from '@tanstack/react-query'
import { MessageSquareText } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyField } from '../../../../ui/controls/CopyField.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { formatDay, formatMoney } from '../../../../ui/format.ts'
import { Dialog, DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import type { AccountPatient } from '../account-data.ts'

const NewTextDialog = lazyDialog(
  () => import('../../../../messages/inbox/web/embed/NewTextDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface PaymentLinkDialogProps {
  patient: AccountPatient
  balanceCents: number
  onClose: () => void
}

/** The link by which a patient pays what is outstanding, to copy or to text. */
export function PaymentLinkDialog({ patient, balanceCents, onClose }: PaymentLinkDialogProps) {
  const may = usePermission()
  const [isTexting, setTexting] = useState(false)
  const link = useQuery(orpc.collections.payLink.queryOptions({ input: { contactId: patient.id }, gcTime: 0, staleTime: Infinity }))
  const { data, error } = link
  if (isTexting && data) return <NewTextDialog patient={patient} initialText={data.text} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title={`Payment link for ${`${patient.firstName} ${patient.lastName}`.trim()}`}>
      <DialogBody>
        {data ? (
          <CopyField label="Link" value={data.url}>
            Shows the {formatMoney(balanceCents)} that is outstanding and takes a card. It works until {formatDay(data.expiresOn)} for
            anyone who has it, so send it to the patient only.
          </CopyField>
        ) : error ? (
          <ErrorState title="Couldn’t get the link" onRetry={() => void link.refetch()} retrying={link.isFetching}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading">
            <Skeleton className="h-9" />
          </div>
        )}
      </DialogBody>
      <DialogFooter>
        <Button size="lg" onClick={onClose}>
          Close
        </Button>
        {data && may('inbox.text') && (
          <Button
            size="lg"
            variant="filled"
            icon={<MessageSquareText />}
            onPointerEnter={NewTextDialog.prepare}
            onClick={() => setTexting(true)}
          >
            Text it
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}
