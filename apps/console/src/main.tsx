import '@fontsource-variable/inter/index.css';
import '@mantine/core/styles.layer.css';
import './design/console.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { NoticeProvider } from './design/feedback';
import { ClockProvider } from './design/time';
import { router } from './router';
import { applyThemeVariables, theme } from './theme';

applyThemeVariables();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element for the console.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <ClockProvider>
          <NoticeProvider>
            <RouterProvider router={router} />
          </NoticeProvider>
        </ClockProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
