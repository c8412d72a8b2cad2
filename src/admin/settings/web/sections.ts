import type { ApiRoute } from '../../../kernel/access/policy.ts'
import type { ComponentType } from 'react'
import { lazyPart } from '../../../ui/lazy-part.tsx'

export interface Section {
  /** Its place in the address: /settings/<slug>. */
  slug: string
  label: string
  /** The call that it lives on; without it every role has it. */
  needs?: ApiRoute
  Part: ComponentType
}

export interface SectionGroup {
  label: string
  sections: readonly Section[]
}

/** What can be set, in the order of the page. Each section's code comes with it. */
export const sectionGroups: readonly SectionGroup[] = [
  {
    label: 'You',
    sections: [
      {
        slug: 'profile',
        label: 'Profile',
        Part: lazyPart(async () => (await import('../../../platform/auth/web/embed/ProfileCard.tsx')).ProfileCard),
      },
      {
        slug: 'security',
        label: 'Security',
        Part: lazyPart(async () => (await import('../../../platform/auth/web/embed/SecurityCards.tsx')).SecurityCards),
      },
      {
        slug: 'notifications',
        label: 'Notifications',
        Part: lazyPart(async () => (await import('../../../crm/notifications/web/embed/PreferencesCard.tsx')).PreferencesCard),
      },
      {
        slug: 'calendar-feed',
        label: 'Calendar feed',
        needs: 'calendarFeeds.mine',
        Part: lazyPart(async () => (await import('../../../care/calendar-feeds/web/embed/CalendarFeedCard.tsx')).CalendarFeedCard),
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
        Part: lazyPart(async () => (await import('../../../platform/auth/web/embed/UsersCard.tsx')).UsersCard),
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
        Part: lazyPart(async () => (await import('../../practice-settings/web/embed/PracticeCard.tsx')).PracticeCard),
      },
      {
        slug: 'hours-and-rooms',
        label: 'Hours and rooms',
        Part: lazyPart(async () => (await import('./HoursAndRooms.tsx')).HoursAndRooms),
      },
      {
        slug: 'procedures',
        label: 'Procedures',
        needs: 'procedures.update',
        Part: lazyPart(async () => (await import('./Procedures.tsx')).Procedures),
      },
      {
        slug: 'checklists',
        label: 'Surgery checklists',
        needs: 'surgeries.templates',
        Part: lazyPart(async () => (await import('../../../care/surgeries/web/embed/ChecklistsCard.tsx')).ChecklistsCard),
      },
      {
        slug: 'templates',
        label: 'Email templates',
        Part: lazyPart(async () => (await import('../../../messages/email-templates/web/embed/TemplatesCard.tsx')).TemplatesCard),
      },
    ],
  },
  {
    label: 'Marketing',
    sections: [
      {
        slug: 'funnel-stages',
        label: 'Funnel stages',
        needs: 'pipeline.addStage',
        Part: lazyPart(async () => (await import('../../../crm/pipeline/web/embed/StagesCard.tsx')).StagesCard),
      },
      {
        slug: 'tags',
        label: 'Tags',
        needs: 'tags.rename',
        Part: lazyPart(async () => (await import('../../../crm/tags/web/embed/TagsCard.tsx')).TagsCard),
      },
      {
        slug: 'lead-sources',
        label: 'Lead sources',
        Part: lazyPart(async () => (await import('../../../crm/lead-sources/web/embed/LeadSourcesCard.tsx')).LeadSourcesCard),
      },
    ],
  },
  {
    label: 'System',
    sections: [
      {
        slug: 'integrations',
        label: 'Integrations',
        Part: lazyPart(async () => (await import('./Integrations.tsx')).Integrations),
      },
      {
        slug: 'roles',
        label: 'Roles',
        needs: 'access.roles',
        Part: lazyPart(async () => (await import('../../roles/web/embed/RolesTable.tsx')).RolesTable),
      },
      {
        slug: 'audit-log',
        label: 'Audit log',
        needs: 'audit.list',
        Part: lazyPart(async () => (await import('../../audit-log/web/embed/AuditLog.tsx')).AuditLog),
      },
      {
        slug: 'import-export',
        label: 'Import and export',
        Part: lazyPart(async () => (await import('./ImportAndExport.tsx')).ImportAndExport),
      },
      {
        slug: 'api-keys',
        label: 'API keys',
        needs: 'apiKeys.list',
        Part: lazyPart(async () => (await import('../../../platform/api-keys/web/embed/ApiKeysCard.tsx')).ApiKeysCard),
      },
      {
        slug: 'webhooks',
        label: 'Webhooks',
        needs: 'webhooks.list',
        Part: lazyPart(async () => (await import('../../../platform/webhooks/web/embed/WebhooksCard.tsx')).WebhooksCard),
      },
      {
        slug: 'retention',
        label: 'Retention',
        needs: 'retention.list',
        Part: lazyPart(async () => (await import('../../retention/web/embed/RetentionCard.tsx')).RetentionCard),
      },
    ],
  },
]
