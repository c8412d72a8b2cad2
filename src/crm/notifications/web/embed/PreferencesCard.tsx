import { Section } from '../../../../ui/display/Section.tsx'
import { MailPreference } from './MailPreference.tsx'

/** What one is told, and how. */
export function PreferencesCard() {
  return (
    <Section id="notification-preferences" title="Notifications">
      <p className="max-w-[60ch] pt-3 pb-4 text-sm text-fg-2">
        Tasks that are overdue are shown on every page and kept behind the bell. This comes besides:
      </p>
      <MailPreference />
    </Section>
  )
}
