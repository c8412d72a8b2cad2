import { languageNames } from '../../shared/translations.ts'
import { chooseLanguage, useLanguage } from './language.ts'
import { PortalButton } from './parts.tsx'

/** With two languages, one button that names the other, in that language; by its code where a phone's header has no room. */
export function LanguageSwitch() {
  const other = useLanguage() === 'en' ? 'fr' : 'en'
  return (
    <PortalButton
      lang={other}
      aria-label={languageNames[other]}
      variant="quiet"
      className="flex-none max-md:min-w-12 max-md:px-2"
      onClick={() => chooseLanguage(other)}
    >
      <span className="max-md:hidden">{languageNames[other]}</span>
      <span className="uppercase md:hidden">{other}</span>
    </PortalButton>
  )
}
