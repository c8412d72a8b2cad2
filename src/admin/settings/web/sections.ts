import type { ApiRoute } from '../../../kernel/access/policy.ts'
import type { ComponentType } from 'react'
import { lazySection } from '../../../ui/lazy-section.tsx'

export interface Section {
  /** Part of the URL: /settings/<slug>. */
  slug: string
  label: string
  /** The call the section depends on; without one, every role sees it. */
  needs?: ApiRoute
  Part: ComponentType
}

export interface SectionGroup {
  label: string
  sections: readonly Section[]
}

/** The settings sections in page order. The code of each is loaded on demand. */
export const sectionGroups: readonly SectionGroup[] = [
  {
    label: 'You',
    sections: [
      {
        slug: 'profile',
        label: 'Profile',
        Part: lazySection(async () => (await import('./Profile.tsx')).Profile),
      },
      {
        slug: 'security',
        label: 'Security',
        Part: lazySection(async () => (await import('../../../platform/auth/web/embed/SecurityCards.tsx')).SecurityCards),
      },
      {
        slug: 'notifications',
        label: 'Notifications',
        Part: lazySection(async () => (await import('../../../crm/notifications/web/embed/PreferencesCard.tsx')).PreferencesCard),
      },
      {
        slug: 'calendar-feed',
        label: 'Calendar feed',
        needs: 'calendarFeeds.mine',
        Part: lazySection(async () => (await import('../../../care/calendar-feeds/web/embed/CalendarFeedCard.tsx')).CalendarFeedCard),
      },
    ],
  },
  {
    label: 'People',
    sections: [
      {
        slug: 'users',
        label: 'Users',
        needs: 'people.accounts',
        Part: lazySection(async () => (await import('../../../platform/auth/web/embed/UsersCard.tsx')).UsersCard),
      },
    ],
  },
  {
    label: 'Practice',
    sections: [
      {
        slug: 'practice',
        label: 'Practice',
        needs: 'practice.settings',
        Part: lazySection(async () => (await import('../../practice-settings/web/embed/PracticeCard.tsx')).PracticeCard),
      },
      {
        slug: 'hours-and-rooms',
        label: 'Hours and rooms',
        Part: lazySection(async () => (await import('./HoursAndRooms.tsx')).HoursAndRooms),
      },
      {
        slug: 'visit-types',
        label: 'Visit types',
        needs: 'availability.visitTypes',
        Part: lazySection(async () => (await import('../../../care/availability/web/embed/VisitTypesCard.tsx')).VisitTypesCard),
      },
      {
        slug: 'equipment',
        label: 'Equipment',
        needs: 'availability.equipment',
        Part: lazySection(async () => (await import('../../../care/availability/web/embed/EquipmentCard.tsx')).EquipmentCard),
      },
      {
        slug: 'staff-hours',
        label: 'Hours and time off',
        needs: 'availability.staffHours',
        Part: lazySection(async () => (await import('../../../care/availability/web/embed/StaffHoursCard.tsx')).StaffHoursCard),
      },
      {
        slug: 'subscribed-calendars',
        label: 'Subscribed calendars',
        needs: 'subscribedCalendars.list',
        Part: lazySection(
          async () => (await import('../../../care/subscribed-calendars/web/embed/SubscribedCalendarsCard.tsx')).SubscribedCalendarsCard,
        ),
      },
      {
        slug: 'procedures',
        label: 'Procedures',
        needs: 'procedures.update',
        Part: lazySection(async () => (await import('./Procedures.tsx')).Procedures),
      },
      {
        slug: 'checklists',
        label: 'Surgery checklists',
        needs: 'surgeries.templates',
        Part: lazySection(async () => (await import('../../../care/surgeries/web/embed/ChecklistsCard.tsx')).ChecklistsCard),
      },
      {
        slug: 'note-templates',
        label: 'Note templates',
        needs: 'notes.templates',
        Part: lazySection(async () => (await import('../../../chart/notes/web/embed/NoteTemplates.tsx')).NoteTemplates),
      },
      {
        slug: 'forms',
        label: 'Forms',
        needs: 'forms.createTemplate',
        Part: lazySection(async () => (await import('./Forms.tsx')).Forms),
      },
      {
        slug: 'consent-forms',
        label: 'Consent forms',
        needs: 'consentForms.createTemplate',
        Part: lazySection(async () => (await import('./ConsentForms.tsx')).ConsentForms),
      },
      {
        slug: 'templates',
        label: 'Email and text templates',
        Part: lazySection(async () => (await import('./Templates.tsx')).Templates),
      },
    ],
  },
  {
    label: 'Marketing',
    sections: [
      {
        slug: 'sequences',
        label: 'Sequences',
        needs: 'sequences.list',
        Part: lazySection(async () => (await import('../../../outreach/sequences/web/embed/SequencesCard.tsx')).SequencesCard),
      },
      {
        slug: 'funnel-stages',
        label: 'Funnel stages',
        needs: 'pipeline.addStage',
        Part: lazySection(async () => (await import('../../../crm/pipeline/web/embed/StagesCard.tsx')).StagesCard),
      },
      {
        slug: 'tags',
        label: 'Tags',
        needs: 'tags.rename',
        Part: lazySection(async () => (await import('../../../crm/tags/web/embed/TagsCard.tsx')).TagsCard),
      },
      {
        slug: 'lead-sources',
        label: 'Lead sources',
        Part: lazySection(async () => (await import('../../../crm/lead-sources/web/embed/LeadSourcesCard.tsx')).LeadSourcesCard),
      },
    ],
  },
  {
    label: 'System',
    sections: [
      {
        slug: 'integrations',
        label: 'Integrations',
        Part: lazySection(async () => (await import('./Integrations.tsx')).Integrations),
      },
      {
        slug: 'system',
        label: 'System status',
        needs: 'system.status',
        Part: lazySection(async () => (await import('../../system/web/embed/SystemCard.tsx')).SystemCard),
      },
      {
        slug: 'backups',
        label: 'Backups',
        needs: 'backups.status',
        Part: lazySection(async () => (await import('../../backups/web/embed/BackupsCard.tsx')).BackupsCard),
      },
      {
        slug: 'roles',
        label: 'Roles',
        needs: 'access.roles',
        Part: lazySection(async () => (await import('../../roles/web/embed/RolesTable.tsx')).RolesTable),
      },
      {
        slug: 'audit-log',
        label: 'Audit log',
        needs: 'audit.list',
        Part: lazySection(async () => (await import('../../audit-log/web/embed/AuditLog.tsx')).AuditLog),
      },
      {
        slug: 'import-export',
        label: 'Import and export',
        Part: lazySection(async () => (await import('./ImportAndExport.tsx')).ImportAndExport),
      },
      {
        slug: 'api-keys',
        label: 'API keys',
        needs: 'apiKeys.list',
        Part: lazySection(async () => (await import('../../../platform/api-keys/web/embed/ApiKeysCard.tsx')).ApiKeysCard),
      },
      {
        slug: 'signing-keys',
        label: 'Signing keys',
        needs: 'signingKeys.list',
        Part: lazySection(async () => (await import('../../../platform/seals/web/embed/SigningKeysCard.tsx')).SigningKeysCard),
      },
      {
        slug: 'webhooks',
        label: 'Webhooks',
        needs: 'webhooks.list',
        Part: lazySection(async () => (await import('../../../platform/webhooks/web/embed/WebhooksCard.tsx')).WebhooksCard),
      },
      {
        slug: 'retention',
        label: 'Retention',
        needs: 'retention.list',
        Part: lazySection(async () => (await import('../../retention/web/embed/RetentionCard.tsx')).RetentionCard),
      },
    ],
  },
]
