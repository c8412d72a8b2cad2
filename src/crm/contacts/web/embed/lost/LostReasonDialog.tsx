import { ActionDialog } from '../../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../../ui/forms/useActionForm.ts'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { RadioGroup } from '../../../../../ui/controls/RadioGroup.tsx'
import type { FunnelStage } from '../../../../pipeline/contract.ts'
import { maxReasonLength, lostReasons } from '../../../rules.ts'
import { reasonOf } from './reason.ts'

interface LostReasonDialogProps {
  stage: FunnelStage
  who: string
  onAnswer: (lostReason: string | null) => void
  onClose: () => void
}

const choices = [...lostReasons, 'Other'] as const
type Choice = (typeof choices)[number]

/** Leaves room for the longest reason. */
const maxWords = maxReasonLength - 20

/** Asks why a lead was lost: a common reason, details, both or neither. */
export default function LostReasonDialog({ stage, who, onAnswer, onClose }: LostReasonDialogProps) {
  const form = useActionForm({
    initial: { choice: null as Choice | null, words: '' },
    async send(values) {
      onAnswer(reasonIn(values))
    },
  })

  return (
    <ActionDialog
      title="Why was this lead lost?"
      description={`Moving ${who} to ${stage.name}.`}
      form={form}
      action={{ label: `Move to ${stage.name}`, isUnready: reasonIn(form.values) === null }}
      footer={{ cancel: { label: 'Skip', onClick: () => onAnswer(null) } }}
      onClose={onClose}
    >
      <RadioGroup aria-label="Reason" data-autofocus {...form.bind('choice')} options={choices.map((value) => ({ value, label: value }))} />
      <Field label="Details" optional>
        <Input {...form.text('words')} maxLength={maxWords} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}

const reasonIn = ({ choice, words }: { choice: Choice | null; words: string }) => reasonOf(choice === 'Other' ? null : choice, words)
