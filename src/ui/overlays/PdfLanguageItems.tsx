import { FileText } from 'lucide-react'
import type { Language } from '../../shared/translations.ts'
import { MenuItem } from './DropdownMenu.tsx'

const names: Record<Language, string> = { en: 'English', fr: 'French' }

/** The items of a menu that open a PDF in one language. Without a language, a PDF is in the patient's. */
export const PdfLanguageItems = ({ href, label = 'PDF' }: { href: string; label?: string }) =>
  (['en', 'fr'] as const).map((language) => (
    <MenuItem key={language} asChild>
      <a href={`${href}?language=${language}`} target="_blank" rel="noopener noreferrer">
        <FileText /> {label} in {names[language]}
      </a>
    </MenuItem>
  ))
