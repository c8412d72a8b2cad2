import { useState } from 'react'
import { previewStyle } from '../../../templates/web/embed/EditorColumns.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import type { Language } from '../../../../shared/translations.ts'
import type { ConsentDefinition, PhotoScope } from '../../definition-rules.ts'
import { exampleValues, initialsOf, renderText } from '../../rules.ts'
import { ConsentClauses } from '../embed/ConsentClauses.tsx'

/** The consent form as an example patient reads it, in either language. What is tapped here is forgotten. */
export function ConsentPreview({ definition }: { definition: ConsentDefinition }) {
  const [language, setLanguage] = useState<Language>('en')
  const [initials, setInitials] = useState<Record<string, string>>({})
  const [scopes, setScopes] = useState<PhotoScope[]>([])
  const text = renderText(definition, exampleValues, language, null)
  return (
    <aside aria-label="Preview" className={previewStyle}>
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-title font-semibold text-fg">Preview with an example patient</h3>
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
      <div lang={language} className="min-h-0 overflow-y-auto rounded-xl border border-line bg-surface p-4 text-portal">
        <p className="pb-2 text-xl font-semibold">{text.title}</p>
        <ConsentClauses
          text={text}
          initials={initials}
          onInitial={(id) => setInitials({ ...initials, [id]: initials[id] ? '' : initialsOf(exampleValues.patientName) })}
          scopes={scopes}
          onScopes={setScopes}
        />
        <p className="border-t border-line pt-4">{text.statement}</p>
      </div>
    </aside>
  )
}
