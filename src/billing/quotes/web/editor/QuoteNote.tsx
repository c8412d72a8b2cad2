import { Field } from '../../../../ui/forms/Field.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { quoteLimits } from '../../quote-contract.ts'

/** The note to the patient, printed below the lines. */
export const QuoteNote = ({ note, onChange }: { note: string; onChange: (note: string) => void }) => (
  <Field label="Note to the patient" optional>
    <Textarea value={note} maxLength={quoteLimits.note} onChange={({ target }) => onChange(target.value)} />
  </Field>
)
