import { useState } from 'react'
import { Button } from '../../../../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../../ui/Dialog.tsx'
import { Field } from '../../../../../ui/Field.tsx'
import { Input } from '../../../../../ui/Input.tsx'
import { RadioGroup } from '../../../../../ui/RadioGroup.tsx'
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

/** Beside the longest of them. */
const maxWords = maxReasonLength - 20

/** Why a lead is lost: one of the usual reasons, some words, or neither. */
export default function LostReasonDialog({ stage, who, onAnswer, onClose }: LostReasonDialogProps) {
  const [choice, setChoice] = useState<Choice | null>(null)
  const [words, setWords] = useState('')
  const reason = reasonOf(choice === 'Other' ? null : choice, words)

  return (
    <Dialog open onOpenChange={onClose} title="Why was this lead lost?" description={`Moving ${who} to ${stage.name}.`}>
      <form
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (reason !== null) onAnswer(reason)
        }}
      >
        <DialogBody className="flex flex-col gap-5">
          <RadioGroup
            aria-label="Reason"
            data-autofocus
            value={choice}
            onValueChange={setChoice}
            options={choices.map((value) => ({ value, label: value }))}
          />
          <Field label="In a few words" optional>
            <Input value={words} maxLength={maxWords} onChange={(event) => setWords(event.target.value)} autoComplete="off" />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" onClick={() => onAnswer(null)}>
            Skip
          </Button>
          <Button type="submit" size="lg" variant="filled" disabled={reason === null}>
            Move to {stage.name}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
