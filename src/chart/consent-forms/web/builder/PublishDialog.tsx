import { useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import type { ConsentDefinition } from '../../definition-rules.ts'
import type { ImpactData, TemplateData } from '../consent-data.ts'
import { purposeLabels } from '../labels.ts'
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
  const { title, use, procedureIds, clauses } = definition
  const initialled = clauses.filter(({ needsInitials }) => needsInitials).length
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Publish ${title.en}?`}
      action={{ label: 'Publish consent form', busyLabel: 'Publishing…' }}
      onConfirm={() => onPublish(mustResign, isSending ? impact.sendable : [])}
    >
      <p>
        {purposeLabels[use]}
        {use === 'procedures' && ` (${procedureIds.length})`}, {clauses.length === 1 ? '1 clause' : `${clauses.length} clauses`}
        {initialled > 0 && `, ${initialled} to initial`}. You confirm that you have read both languages. Your name and the time are kept
        with the version, which can’t be changed afterwards.
      </p>
      {published?.publishedAt && (
        <>
          <p className="pt-3">
            It replaces version {published.number} of {formatDate(published.publishedAt, timeZone)}, also where patients have not signed
            yet: their link shows the new version.
          </p>
          <CheckboxLine
            className="pt-3"
            checked={mustResign}
            onCheckedChange={setMustResign}
            hint="Choose it if the risks or the procedure changed."
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
          ? 'It can be sent again, and surgeries require it again.'
          : 'It is no longer offered, and no surgery requires it. What was signed stays signed, and patients who were sent it can still sign.'}
      </p>
      <SurgeryImpact impact={impact} isSending={isSending} onSending={setSending} />
    </ConfirmDialog>
  )
}
