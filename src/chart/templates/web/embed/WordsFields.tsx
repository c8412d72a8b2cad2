import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import type { Language, Words } from '../../../../shared/translations.ts'

interface WordsFieldsProps<Value extends Words | null> {
  label: string
  value: Value
  onChange: (value: Value) => void
  problem?: string
  /** Both left empty: none. */
  isOptional?: boolean
  isLong?: boolean
  /** The longest text on one line. */
  maxLength?: number
  /** Lines of a long text. */
  rows?: number
}

/** A text in both languages, beside each other. */
export function WordsFields<Value extends Words | null>({
  label,
  value,
  onChange,
  problem,
  isOptional,
  isLong,
  maxLength = 500,
  rows = 2,
}: WordsFieldsProps<Value>) {
  const words = value ?? { en: '', fr: '' }
  const isMissing = (language: Language) => problem !== undefined && (words[language].trim() === '' || !/missing/.test(problem))
  function set(language: Language, text: string) {
    const next = { ...words, [language]: text }
    onChange((isOptional && next.en === '' && next.fr === '' ? null : next) as Value)
  }
  return (
    <div className="grid gap-3 md:grid-cols-2">
      {(['en', 'fr'] as const).map((language) => {
        const props = {
          lang: language,
          value: words[language],
          onChange: ({ target }: { target: { value: string } }) => set(language, target.value),
        }
        return (
          <Field
            key={language}
            label={`${label} (${language === 'en' ? 'English' : 'French'})`}
            optional={isOptional}
            error={isMissing(language) ? problem : undefined}
          >
            {isLong ? (
              <Textarea rows={rows} className={rows === 1 ? 'min-h-11 md:min-h-9 md:py-1.5' : undefined} {...props} />
            ) : (
              <Input maxLength={maxLength} {...props} />
            )}
          </Field>
        )
      })}
    </div>
  )
}
