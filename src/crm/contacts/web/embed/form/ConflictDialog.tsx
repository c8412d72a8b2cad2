import { useState } from 'react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../../../ui/overlays/Dialog.tsx'
import { RadioGroup } from '../../../../../ui/controls/RadioGroup.tsx'
import { formatChange, type Choices, type Clash } from './conflict.ts'

interface ConflictDialogProps {
  clashes: readonly Clash[]
  busy: boolean
  onSave: (choices: Choices) => void
  onClose: () => void
}

/** Shows conflicting changes by someone else (who, when, old and new value). Saves only after the user decided each field. */
export function ConflictDialog({ clashes, busy, onSave, onClose }: ConflictDialogProps) {
  const [choices, setChoices] = useState<Choices>({})
  const [asked, setAsked] = useState(false)
  const undecided = clashes.filter(({ field }) => !choices[field])

  return (
    <Dialog
      onClose={onClose}
      size="md"
      title="Changed by someone else"
      description="Nothing was overwritten. Choose what to keep. Your other changes are saved as well."
      dismissible={!busy}
    >
      <DialogBody className="py-0 md:py-0">
        {clashes.map((clash) => (
          <fieldset key={clash.field} className="border-b border-line py-4 last:border-b-0">
            <legend className="float-left w-full text-md font-semibold text-fg">{clash.label}</legend>
            <p className="clear-both pb-3 text-sm break-words text-fg-2">
              {clash.who} changed it <span title={clash.exactly}>{clash.ago}</span>
              {!isLong(clash) && ` ${formatChange(clash)}`}
            </p>
            <RadioGroup
              aria-label={clash.label}
              value={choices[clash.field] ?? null}
              onValueChange={(side) => setChoices({ ...choices, [clash.field]: side })}
              options={[
                { value: 'mine', label: 'Keep mine', hint: <Value text={clash.mine} /> },
                { value: 'theirs', label: 'Use theirs', hint: <Value text={clash.theirs} /> },
              ]}
            />
            {asked && !choices[clash.field] && (
              <p role="alert" className="pt-2 text-sm text-danger-fg">
                Choose one of the two
              </p>
            )}
          </fieldset>
        ))}
      </DialogBody>
      <DialogFooter>
        <Button size="lg" disabled={busy} onClick={onClose}>
          Keep editing
        </Button>
        <Button
          size="lg"
          variant="filled"
          busy={busy}
          busyLabel="Saving…"
          onClick={() => {
            setAsked(true)
            if (undecided.length === 0) onSave(choices)
          }}
        >
          Save
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** Whether the values are too long for a sentence. */
const isLong = ({ before, theirs }: Clash): boolean => before.length + theirs.length > 120

function Value({ text }: { text: string }) {
  return <span className="block max-h-40 overflow-y-auto text-sm break-words whitespace-pre-wrap text-fg-2">{text}</span>
}
