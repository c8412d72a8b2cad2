import { PortalButton } from '../../../ui/patient/parts.tsx'
import { type Language, languageNames } from '../../../shared/translations.ts'

interface LanguageSwitchProps {
  language: Language
  onLanguage: (language: Language) => void
}

/** With two languages, one button that names the other, in that language. */
export function LanguageSwitch({ language, onLanguage }: LanguageSwitchProps) {
  const other = language === 'en' ? 'fr' : 'en'
  return (
    <PortalButton lang={other} variant="quiet" className="max-md:px-2" onClick={() => onLanguage(other)}>
      {languageNames[other]}
    </PortalButton>
  )
}
