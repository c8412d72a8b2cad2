import { useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { previewStyle } from '../../../templates/web/embed/EditorColumns.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { today } from '../../../../ui/format.ts'
import type { FormDefinition } from '../../definition-rules.ts'
import type { Language } from '../../../../shared/translations.ts'
import { redFlags } from '../../rules.ts'
import { FormSections } from '../embed/FormSections.tsx'
import { formTexts } from '../embed/texts.ts'

interface FormPreviewProps {
  definition: FormDefinition
  /** The section that is being edited, which is shown. */
  editedSection: string | null
}

/** The form as on a patient's phone, in either language. Answers are forgotten; the red flags that they would raise are listed. */
export function FormPreview({ definition, editedSection }: FormPreviewProps) {
  const clock = useClock()
  const [language, setLanguage] = useState<Language>('en')
  const [answers, setAnswers] = useState<Record<string, unknown>>({})
  const [sectionId, setSectionId] = useState(editedSection)
  const [edited, setEdited] = useState(editedSection)
  if (edited !== editedSection) {
    setEdited(editedSection)
    if (editedSection !== null) setSectionId(editedSection)
  }
  const [isDone, setDone] = useState(false)
  const flags = redFlags(definition, answers)
  return (
    <aside aria-label="Preview" className={previewStyle}>
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-title font-semibold text-fg">Preview</h3>
        <SegmentedControl
          aria-label="Language of the preview"
          value={language}
          onValueChange={setLanguage}
          options={[
            { value: 'en', label: 'English' },
            { value: 'fr', label: 'French' },
          ]}
        />
      </div>
      <div lang={language} className="min-h-0 overflow-y-auto rounded-xl border border-line bg-canvas p-4 text-portal">
        <p className="pb-4 text-xl font-semibold">{definition.title[language]}</p>
        {isDone ? (
          <p role="status">{formTexts[language]('received', { title: definition.title[language] })}</p>
        ) : (
          <FormSections
            definition={definition}
            answers={answers}
            onAnswer={(id, value) => setAnswers((given) => ({ ...given, [id]: value }))}
            language={language}
            today={today(clock)}
            sectionId={sectionId}
            onSection={setSectionId}
            onSubmit={() => setDone(true)}
          />
        )}
      </div>
      {flags.length > 0 && (
        <p className="text-sm text-fg-2">Red flags: {flags.map(({ message }) => message.en || 'no message yet').join('; ')}</p>
      )}
    </aside>
  )
}
