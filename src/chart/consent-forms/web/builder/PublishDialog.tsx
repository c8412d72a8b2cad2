import { useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import type { ConsentDefinition } from '../../definition-rules.ts'
import type { TemplateData } from '../consent-data.ts'
import { purposeLabels } from '../labels.ts'

interface PublishDialogProps {
  definition: ConsentDefinition
  published: TemplateData['published']
  onPublish: (mustResign: boolean) => void
  onClose: () => void
}

/** The review before a version is published: what it is, and whether patients have to sign again. */
export function PublishDialog({ definition, published, onPublish, onClose }: PublishDialogProps) {
  const { timeZone } = useClock()
  const [mustResign, setMustResign] = useState(false)
  const { title, use, procedureIds, clauses } = definition
  const initialled = clauses.filter(({ needsInitials }) => needsInitials).length
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Publish ${title.en}?`}
      action={{ label: 'Publish consent form', busyLabel: 'Publishing…' }}
      onConfirm={() => onPublish(mustResign)}
    >
      <p>
        {purposeLabels[use]}
        {use === 'procedures' && ` (${procedureIds.length})`}, {clauses.length === 1 ? '1 clause' : `${clauses.length} clauses`}, of which{' '}
        {initialled} are initialled. You confirm that you have read both languages. Your name and the time are kept with the version, which
        can’t be changed afterwards.
      </p>
      {published?.publishedAt && (
        <>
          <p className="pt-3">
            It replaces version {published.number} of {formatDate(published.publishedAt, timeZone)}.
          </p>
          <CheckboxLine
            className="pt-3"
            checked={mustResign}
            onCheckedChange={setMustResign}
            hint="Their surgeries are not ready until they have. Choose it if the risks or the procedure changed."
          >
            Patients who signed an earlier version must sign again
          </CheckboxLine>
        </>
      )}
    </ConfirmDialog>
  )
}
