import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import type { ConsentDefinition } from '../../definition-rules.ts'
import type { ImpactData, TemplateData } from '../consent-data.ts'
import { describeUse } from '../labels.ts'
import { SurgeryImpact, useImpact } from './SurgeryImpact.tsx'

type Surgeries = ImpactData['surgeries']

interface PublishDialogProps {
  id: string
  definition: ConsentDefinition
  published: TemplateData['published']
  /** `sendTo`: the surgeries whose patients it is emailed to. */
  onPublish: (mustResign: boolean, sendTo: Surgeries) => void
  onClose: () => void
}

/** The review before a version is published: what it is, whether patients have to sign again, and what it means for booked surgeries. */
export function PublishDialog({ id, definition, published, onPublish, onClose }: PublishDialogProps) {
  const { timeZone } = useClock()
  const [mustResign, setMustResign] = useState(false)
  const [isSending, setSending] = useState(false)
  const impact = useImpact(id, 'publish', mustResign)
  const procedures = useQuery(orpc.procedures.list.queryOptions()).data ?? []
  const { title, use, clauses } = definition
  const initialled = clauses.filter(({ needsInitials }) => needsInitials).length
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Publish ${title.en}?`}
      action={{ label: 'Publish consent form', busyLabel: 'Publishing…' }}
      onConfirm={() => onPublish(mustResign, isSending ? impact.sendable : [])}
    >
      <Facts>
        <Fact label="Used for">{describeUse(definition, procedures)}</Fact>
        <Fact label="Clauses">
          {clauses.length}
          {initialled > 0 && `, including ${initialled} to initial`}
        </Fact>
        {published?.publishedAt && (
          <Fact label="Replaces">
            Version {published.number} of {formatDate(published.publishedAt, timeZone)}
          </Fact>
        )}
      </Facts>
      <p className="pt-3">
        By publishing, you confirm that you have read both languages. Your name and the time are kept with this version, which cannot be
        changed afterwards.
      </p>
      {published?.publishedAt && (
        <>
          <p className="pt-3">Patients who have not signed yet see this version when they open their link.</p>
          <CheckboxLine
            className="pt-3"
            checked={mustResign}
            onCheckedChange={setMustResign}
            hint="Choose this if the risks or the procedure changed."
          >
            Patients who signed an earlier version must sign again
          </CheckboxLine>
        </>
      )}
      {use !== 'photos' && <SurgeryImpact impact={impact} isSending={isSending} onSending={setSending} />}
    </ConfirmDialog>
  )
}

interface ActiveDialogProps {
  id: string
  title: string
  isActivating: boolean
  onConfirm: (sendTo: Surgeries) => void
  onClose: () => void
}

/** What activating or deactivating a consent form means for booked surgeries. */
export function ActiveDialog({ id, title, isActivating, onConfirm, onClose }: ActiveDialogProps) {
  const [isSending, setSending] = useState(false)
  const impact = useImpact(id, isActivating ? 'activate' : 'deactivate')
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${isActivating ? 'Activate' : 'Deactivate'} ${title}?`}
      action={{
        label: isActivating ? 'Activate consent form' : 'Deactivate consent form',
        busyLabel: isActivating ? 'Activating…' : 'Deactivating…',
      }}
      onConfirm={() => onConfirm(isSending ? impact.sendable : [])}
    >
      <p>
        {isActivating
          ? 'Staff can send it again, and booked surgeries require it again.'
          : 'Staff can no longer send it, and no surgery requires it. Signed consents stay valid, and patients who received it can still sign.'}
      </p>
      <SurgeryImpact impact={impact} isSending={isSending} onSending={setSending} />
    </ConfirmDialog>
  )
}
