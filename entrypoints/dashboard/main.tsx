import { mount } from '../views/root.tsx';
import { Dashboard } from './Dashboard.tsx';

void mount((settings) => <Dashboard settings={settings} />);
