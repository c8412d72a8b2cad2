import { DayField, LongTextField, TextField, Tick } from './controls.tsx'
import type { ContactForm } from './useContactForm.ts'

interface ConsultFieldsProps {
  form: ContactForm
  /** Called when results are checked as received. */
  onResultsReceived: () => void
  className?: string
}

/** The consult fields, shown only if a consult is required. Unchecking it keeps the typed values until the form is saved. */
export function ConsultFields({ form, onResultsReceived, className }: ConsultFieldsProps) {
  const { requiresSpecialistConsult: isRequired, specialistResultsReceived: hasResults } = form.values
  return (
    <>
      <Tick form={form} name="requiresSpecialistConsult" className={className} />
      {isRequired && (
        <>
          <TextField form={form} name="specialistConsultType" label="Type" unmarked className={className} />
          <LongTextField form={form} name="specialistConsultReason" label="Reason" unmarked className={className} />
          <Tick form={form} name="specialistResultsReceived" onTicked={onResultsReceived} className={className} />
          {hasResults && <DayField form={form} name="specialistResultsDate" label="Received on" className={className} />}
          <LongTextField form={form} name="specialistNotes" className={className} />
        </>
      )}
    </>
  )
}
