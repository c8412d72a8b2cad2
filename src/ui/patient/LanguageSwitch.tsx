import { languageNames } from '../../shared/translations.ts'
import { chooseLanguage, useLanguage } from './language.ts'
import { PortalButton } from './parts.tsx'

/** With two languages, one button that names the other, in that language. */
export function LanguageSwitch() {
  const other = useLanguage() === 'en' ? 'fr' : 'en'
  return (
    <PortalButton lang={other} variant="quiet" className="max-md:px-2" onClick={() => chooseLanguage(other)}>
      {languageNames[other]}
    </PortalButton>
  )
}
