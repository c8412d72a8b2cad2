import { Section } from '../../../../ui/display/Section.tsx'
import { EmailPreference } from './EmailPreference.tsx'

/** Notification settings of the signed-in user. */
export function PreferencesCard() {
  return (
    <Section id="notification-preferences" title="Notifications">
      <p className="max-w-[60ch] pt-3 pb-4 text-sm text-fg-2">
        Overdue tasks are shown on every page and listed under the bell. You can also get emails:
      </p>
      <EmailPreference />
    </Section>
  )
}
